"""Commands: the jails that hold them and the processes that run them."""
