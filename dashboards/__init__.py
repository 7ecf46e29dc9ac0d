"""What people look at: dashboards and alert rules as code, and the templates of the reports."""
