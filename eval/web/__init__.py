"""Web pages for development: the same source page in the sites of several generators and themes."""
