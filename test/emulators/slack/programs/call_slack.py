"""An app that knows only slack.com. Calls it with each client of the standard library, and prints what each receives."""

import asyncio
import http.client
import json
import os
import urllib.request

TOKEN = os.environ["SLACK_BOT_TOKEN"]
HEADERS = {"Authorization": "Bearer " + TOKEN}


def show(client, answer):
    print(json.dumps([client, answer["ok"], answer.get("user", "")]))


request = urllib.request.Request("https://slack.com/api/auth.test", method="POST", headers=HEADERS)
with urllib.request.urlopen(request, timeout=10) as response:
    show("urllib", json.load(response))

connection = http.client.HTTPSConnection("slack.com", timeout=10)
connection.request("POST", "/api/auth.test", headers=HEADERS)
show("http.client", json.load(connection.getresponse()))


async def call():
    reader, writer = await asyncio.open_connection("slack.com", 443, ssl=True)
    writer.write(b"POST /api/auth.test HTTP/1.0\r\nHost: slack.com\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\n\r\n")
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    show("asyncio", json.loads(body))


asyncio.run(call())

try:
    import requests
except ImportError:
    requests = None
if requests:
    show("requests", requests.post("https://slack.com/api/auth.test", headers=HEADERS, timeout=10).json())
