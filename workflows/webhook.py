"""A signed message to somebody's HTTP server, tried again when it is not taken.

Signed as the Standard Webhooks specification has it (standardwebhooks.com): ``webhook-id``,
``webhook-timestamp`` and ``webhook-signature``, ``v1,`` and the base64 of HMAC-SHA256 over
``id.timestamp.body``. The id stays the same over tries, so that a receiver can drop a message it has.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import IO

from evalcore.errors import ConfigError

LONGEST_WAIT_S = 30.0
"""The longest pause between two tries, also where the server asks for more."""
_PREFIX = "whsec_"
_AGAIN = (408, 425, 429, 500, 502, 503, 504)


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What became of a message. ``told`` is the last answer, or why there was none."""

    ok: bool
    tries: int
    told: str


def secret_key(secret: str) -> bytes:
    """The key in a secret: the base64 after ``whsec_``, or the text itself.

    Examples
    --------
    >>> secret_key("whsec_a2V5"), secret_key("key")
    (b'key', b'key')
    """
    if not secret.startswith(_PREFIX):
        return secret.encode("utf-8")
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error as error:
        raise ConfigError("the webhook's secret is not base64 after whsec_", cure="copy it whole") from error


def signature(key: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """What stands in ``webhook-signature``.

    Examples
    --------
    >>> key = secret_key("whsec_plJ3nmyCDGBKInavdOK15jsl")
    >>> signature(key, "msg_loFOjxBNrRLzqYUf", 1731705121, b'{"event_type":"ping","data":{"success":true}}')
    'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0='
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode('ascii')}"


def send(
    url: str,
    body: bytes,
    *,
    message_id: str,
    key: bytes,
    timeout_s: float = 10,
    attempts: int = 4,
    sleep: Callable[[float], None] = time.sleep,
) -> Sent:
    """POST a JSON body; again after 1, 2, 4 … seconds, or ``Retry-After``, while it may still be taken.

    No redirect is followed: a signed message goes where it was meant to, or nowhere.
    """
    opener = urllib.request.build_opener(_NoRedirect)
    told = ""
    for attempt in range(1, attempts + 1):
        timestamp = int(time.time())
        request = urllib.request.Request(url, data=body, method="POST")
        for name, value in (
            ("Content-Type", "application/json"),
            ("User-Agent", "proofdesk"),
            ("webhook-id", message_id),
            ("webhook-timestamp", str(timestamp)),
            ("webhook-signature", signature(key, message_id, timestamp, body)),
        ):
            request.add_header(name, value)
        wait = float(2 ** (attempt - 1))
        try:
            with opener.open(request, timeout=timeout_s) as answer:
                return Sent(ok=True, tries=attempt, told=f"HTTP {answer.status}")
        except urllib.error.HTTPError as error:
            error.close()
            told = f"HTTP {error.code}"
            if error.code not in _AGAIN:
                return Sent(ok=False, tries=attempt, told=told)
            wait = max(wait, _asked_wait(error.headers.get("Retry-After")))
        except (OSError, HTTPException) as error:
            told = " ".join(str(getattr(error, "reason", error) or type(error).__name__).split())[:200]
        if attempt < attempts:
            sleep(min(wait, LONGEST_WAIT_S))
    return Sent(ok=False, tries=attempts, told=told)


def _asked_wait(header: str | None) -> float:
    return float(header) if header is not None and header.strip().isdecimal() else 0.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        return None
