"""What stands in a PDF."""

import pypdfium2


def text_of(content):
    document = pypdfium2.PdfDocument(content)
    told = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    # Hyphens at line ends are set by the layout, not by us.
    return " ".join(told.replace("\ufffe", "").replace("\u200b", "").replace("\r\n", " ").split())
