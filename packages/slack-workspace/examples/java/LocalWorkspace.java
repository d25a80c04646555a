import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A local Slack workspace for tests. Needs nothing but Java 17 and the command slack-workspace. Answers of the control
 * API are JSON texts; its OpenAPI document is at /control/openapi.json.
 */
final class LocalWorkspace implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String COMMAND =
            System.getenv().getOrDefault("SLACK_WORKSPACE_COMMAND", "npx slack-workspace");

    private final Process process;
    private final String url;

    /** Starts a workspace on a free port, which sends its requests to this address. */
    LocalWorkspace(String manifest, String requestUrl) throws IOException {
        List<String> command = new ArrayList<>(List.of(COMMAND.split(" ")));
        String folder = Files.createTempDirectory("workspace").toString();
        command.addAll(List.of("--port", "0", "--data", folder, "--manifest", manifest, "--request-url", requestUrl));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed = process.inputReader(StandardCharsets.UTF_8).readLine();
        var address = Pattern.compile("http://\\S+(?=\\. )").matcher(String.valueOf(printed));
        if (!address.find()) throw new IllegalStateException("The workspace did not start: " + printed);
        url = address.group() + "/control";
    }

    Person person(String name) {
        return new Person(name);
    }

    String reset() {
        return call("POST", "/reset", "");
    }

    String calls(String method) {
        return call("GET", "/app/calls?method=" + method, "");
    }

    /** Sends a call of the control API. Throws an AssertionError with everything that the person sees. */
    String call(String method, String path, String json) {
        var request = HttpRequest.newBuilder(URI.create(url + path)).method(method, BodyPublishers.ofString(json));
        try {
            var response = HTTP.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() == 200) return response.body();
            throw new AssertionError(response.body().replace("\\n", "\n"));
        } catch (IOException | InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }

    /** A person in the workspace. Each action returns what they see afterwards, as JSON. */
    final class Person {
        private final String name;

        private Person(String name) {
            this.name = name;
        }

        String open(String channel) {
            return act("open", "channel", channel);
        }

        String type(String text) {
            return act("type", "text", text);
        }

        String press(String button) {
            return act("press", "button", button);
        }

        String sees(String text) {
            return act("wait", "text", text);
        }

        private String act(String action, String key, String value) {
            String quoted = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            return call("POST", "/people/" + name + "/" + action, "{\"" + key + "\":\"" + quoted + "\"}");
        }
    }
}
