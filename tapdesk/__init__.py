"""tapdesk: how much of the agreement between raters is knowledge and how much is luck."""
