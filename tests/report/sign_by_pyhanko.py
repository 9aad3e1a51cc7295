"""Signs a PDF as a committee's tool does: PYTHON sign_by_pyhanko.py ISSUED SIGNED [seen]; of the peers' environment."""

import datetime as dt
import sys
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers


def signer(folder: Path) -> signers.SimpleSigner:
    """A key and a certificate of its own, made for this once."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "The chair")])
    begin = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    usage = x509.KeyUsage(True, True, *[False] * 7)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin + dt.timedelta(days=3650))
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    kind = serialization.BestAvailableEncryption(b"once")
    place = folder / "chair.p12"
    place.write_bytes(serialization.pkcs12.serialize_key_and_certificates(b"chair", key, certificate, None, kind))
    return signers.SimpleSigner.load_pkcs12(str(place), passphrase=b"once")


def main() -> None:
    """Sign once, unseen or with a box on the second page."""
    issued, target = Path(sys.argv[1]), Path(sys.argv[2])
    box = fields.SigFieldSpec("Approved", on_page=1, box=(60, 60, 250, 110)) if "seen" in sys.argv else None
    with issued.open("rb") as opened:
        way = signers.PdfSigner(
            signers.PdfSignatureMetadata(field_name="Approved"), signer=signer(target.parent), new_field_spec=box
        )
        target.write_bytes(way.sign_pdf(IncrementalPdfFileWriter(opened)).getbuffer())


if __name__ == "__main__":
    main()
