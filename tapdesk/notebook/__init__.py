"""``import tapdesk`` in notebooks and scripts: a panel of ratings and answers that show themselves."""
