"""What is said about a result, without Qt and without pages: sentences, tables and figures."""
