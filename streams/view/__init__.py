"""The regulator's page: a store's nights looked at in a browser, and any round of them replayed on a drawn table."""
