"""A Slack app without a framework, so that the example needs nothing but Python. Yours may use Bolt for Python.

A real app also checks the signature of each request with the workspace's signing secret.
"""

import json
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def show_task(task):
    button = {"type": "button", "action_id": "done", "text": plain_text("Done"), "value": task}
    section = {"type": "section", "text": plain_text(task), "accessory": button}
    return {"response_type": "in_channel", "text": task, "blocks": [section]}


def plain_text(text):
    return {"type": "plain_text", "text": text}


def finish_task(payload):
    task = payload["actions"][0]["value"]
    answer = {"replace_original": True, "text": f"Done: {task}"}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(payload["response_url"], json.dumps(answer).encode(), headers)
    OPENER.open(request).close()


class TodoApp(BaseHTTPRequestHandler):
    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if "command" in form:
            self.acknowledge(json.dumps(show_task(form["text"][0])).encode())
        else:
            self.acknowledge(b"")
            finish_task(json.loads(form["payload"][0]))

    def acknowledge(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def create_server():
    return ThreadingHTTPServer(("127.0.0.1", 0), TodoApp)
