"""A report as a file: PDF, web page, workbook, pages."""
