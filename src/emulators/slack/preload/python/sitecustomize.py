"""Redirects connections to slack.com and its subdomains to the workspace at SLACK_API_URL.

It is for apps with fixed slack.com addresses. Python imports this module at its start if its folder is on PYTHONPATH.
It replaces socket.getaddrinfo and the encryption of ssl, which urllib, http.client and asyncio use, and all clients that
are based on them, such as requests, urllib3, aiohttp and websocket-client. The connection isn't encrypted, since the
workspace serves plain HTTP.
"""

import asyncio
import os
import socket
import ssl
from urllib.parse import urlsplit

_workspace = urlsplit(os.environ.get("SLACK_API_URL", ""))
_getaddrinfo = socket.getaddrinfo
_wrap_socket = ssl.SSLContext.wrap_socket
_create_connection = asyncio.BaseEventLoop.create_connection


def _is_slack(host):
    name = host.decode() if isinstance(host, bytes) else host
    return isinstance(name, str) and (name.lower() == "slack.com" or name.lower().endswith(".slack.com"))


class _PlainSocket(socket.socket):
    """An unencrypted socket with the methods of an SSL socket."""

    server_side = False

    def getpeercert(self, binary_form=False):
        return b"" if binary_form else {}

    def version(self):
        return "TLSv1.3"

    def cipher(self):
        return ("TLS_AES_256_GCM_SHA384", "TLSv1.3", 256)

    def selected_alpn_protocol(self):
        return None

    def do_handshake(self, block=False):
        pass

    def pending(self):
        return 0

    def unwrap(self):
        return self


def _redirect_getaddrinfo(host, port, *args, **kwargs):
    if _is_slack(host):
        return _getaddrinfo(_workspace.hostname, _workspace.port or 80, *args, **kwargs)
    return _getaddrinfo(host, port, *args, **kwargs)


def _redirect_wrap_socket(self, sock, *args, **kwargs):
    server_hostname = kwargs.get("server_hostname") or (args[3] if len(args) > 3 else None)
    if not _is_slack(server_hostname):
        return _wrap_socket(self, sock, *args, **kwargs)
    timeout = sock.gettimeout()
    plain = _PlainSocket(sock.family, sock.type, sock.proto, fileno=sock.detach())
    plain.settimeout(timeout)
    return plain


async def _redirect_create_connection(self, protocol_factory, host=None, port=None, **kwargs):
    if _is_slack(kwargs.get("server_hostname") or host):
        kwargs.update(ssl=None, server_hostname=None)
        kwargs.pop("ssl_handshake_timeout", None)
        kwargs.pop("ssl_shutdown_timeout", None)
    return await _create_connection(self, protocol_factory, host, port, **kwargs)


if not _workspace.hostname:
    raise RuntimeError("Set SLACK_API_URL to the address that the workspace prints at its start")
socket.getaddrinfo = _redirect_getaddrinfo
ssl.SSLContext.wrap_socket = _redirect_wrap_socket
asyncio.BaseEventLoop.create_connection = _redirect_create_connection
