"""A local Slack workspace for tests. Needs nothing but Python and the command slack-workspace."""

import contextlib
import json
import os
import re
import shlex
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

# Without a proxy, which could not reach this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
COMMAND = os.environ.get("SLACK_WORKSPACE_COMMAND", "npx slack-workspace")


@contextlib.contextmanager
def start_workspace(manifest, request_url):
    """Starts a workspace on a free port, which sends its requests to `request_url`."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", "0", "--data", folder, "--manifest", str(manifest), "--request-url", request_url]
        process = subprocess.Popen(shlex.split(COMMAND) + options, stdout=subprocess.PIPE, text=True)
        try:
            printed = process.stdout.readline()
            address = re.search(r"http://\S+(?=\. )", printed)
            assert address, f"The workspace did not start: {printed}"
            yield Workspace(address.group())
        finally:
            process.terminate()
            process.communicate()


class Workspace:
    """Calls the control API. Its OpenAPI document is at `/control/openapi.json`."""

    def __init__(self, address):
        self.url, _, token = address.partition("/?token=")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        url = f"{self.url}/control{urllib.parse.quote(path)}"
        request = urllib.request.Request(url, data, self.headers, method=method)
        try:
            with OPENER.open(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as failure:
            error = json.load(failure)["error"]
        visible = f"\nVisible instead:\n{error['visible']}" if "visible" in error else ""
        raise AssertionError(error["message"] + visible)

    def person(self, name):
        return Person(self, name)

    def reset(self):
        return self.call("POST", "/reset")

    def calls(self, method):
        calls = self.call("GET", "/app/calls")["calls"]
        return [call for call in calls if call["name"] == method]


class Person:
    """A person in the workspace. Each action returns what they see afterwards."""

    def __init__(self, workspace, name):
        self.workspace = workspace
        self.name = name

    def act(self, action, **body):
        return self.workspace.call("POST", f"/people/{self.name}/{action}", body)

    def open(self, channel):
        return self.act("open", channel=channel)

    def type(self, text):
        return self.act("type", text=text)

    def fill(self, fields):
        return self.act("fill", fields=fields)

    def press(self, button):
        return self.act("press", button=button)

    def sees(self, text, **options):
        return self.act("wait", text=text, **options)

    def read(self):
        return self.workspace.call("GET", f"/people/{self.name}/screen")
