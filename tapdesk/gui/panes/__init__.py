"""The four panes of the window: dataset, model, results, report."""
