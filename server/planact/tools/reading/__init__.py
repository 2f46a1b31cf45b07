"""What `read_file` shows of files besides their lines."""
