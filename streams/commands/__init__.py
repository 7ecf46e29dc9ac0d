"""The command line, a file a command: the one place that ties everything together, and that nothing else imports."""
