"""What an installation needs beside the program: the ClickHouse schema, Kafka topics, Grafana provisioning, compose."""
