import threading
from pathlib import Path

import pytest
from slack_workspace import start_workspace
from todo_app import create_server

MANIFEST = Path(__file__).parent.parent / "manifest.json"


@pytest.fixture(scope="session")
def running_workspace():
    with create_server() as app:
        threading.Thread(target=app.serve_forever, daemon=True).start()
        with start_workspace(MANIFEST, f"http://127.0.0.1:{app.server_port}/slack/events") as workspace:
            yield workspace
        app.shutdown()


@pytest.fixture
def workspace(running_workspace):
    running_workspace.reset()
    return running_workspace


@pytest.fixture
def ana(workspace):
    person = workspace.person("Ana")
    person.open("#general")
    return person
