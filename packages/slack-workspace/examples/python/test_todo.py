def test_a_task_is_added_with_a_command_and_done_with_its_button(ana):
    ana.type("/todo Buy milk")
    ana.sees("Buy milk")
    ana.press("Done")
    ana.sees("Done: Buy milk")


def test_everybody_in_the_channel_sees_a_task(workspace, ana):
    ana.type("/todo Buy bread")
    ben = workspace.person("Ben")
    ben.open("#general")
    assert ben.read()["messages"][-1]["buttons"] == ["Done"]
