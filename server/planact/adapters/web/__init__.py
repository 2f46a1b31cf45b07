"""Pages of the web. What servers and pages say is hostile until checked."""
