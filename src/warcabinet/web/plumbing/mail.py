"""Send an e-mail by the server that whoever runs this one named."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.web.plumbing.webhook import NotSent

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")
SCHEMES = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}


def is_address(text: str) -> bool:
    """Whether e-mail can go there: to somebody at a host that has a name, not a number."""
    host = text.rpartition("@")[2]
    return _ADDRESS.fullmatch(text) is not None and not host.replace(".", "").isdigit()


def check_server(smtp: str, sender: str) -> None:
    """Say at the start what would otherwise fail at the first message."""
    if not smtp:
        return
    try:
        parts = urlsplit(smtp)
        named = bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        parts, named = None, False
    if parts is None or parts.scheme not in SCHEMES or not named:
        raise WarCabinetError("smtp: smtp://host:25, smtps://user:password@host or smtp+starttls://user:password@host")
    if not is_address(sender):
        raise WarCabinetError("mail_from: the address from which e-mail is sent, such as table@example.org")


def message(sender: str, to: str, subject: str, text: str, stop: str) -> EmailMessage:
    """A plain message; `stop` is the link by which its reader gets no more."""
    made = EmailMessage()
    made["From"], made["To"] = sender, to
    made["Subject"] = " ".join(subject.split())[:150]
    made["Date"], made["Message-ID"] = formatdate(), make_msgid(domain=sender.rpartition("@")[2])
    made["Auto-Submitted"] = "auto-generated"
    if stop:
        made["List-Unsubscribe"] = f"<{stop}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    made.set_content(text)
    return made


def deliver(smtp: str, mail: EmailMessage, seconds: float) -> None:
    parts = urlsplit(smtp)
    host, port = str(parts.hostname), parts.port or SCHEMES[parts.scheme]
    try:
        secure = parts.scheme == "smtps"
        kind = smtplib.SMTP_SSL if secure else smtplib.SMTP
        with kind(host, port, timeout=seconds) as server:
            if parts.scheme == "smtp+starttls":
                server.starttls(context=ssl.create_default_context())
            if parts.username:
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(mail)
    except smtplib.SMTPRecipientsRefused:
        raise NotSent("the mail server does not take this address") from None
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(f"the mail server could not take it ({type(error).__name__})") from None
