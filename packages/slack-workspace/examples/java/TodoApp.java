import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * A Slack app without a framework, so that the example needs nothing but Java. Yours may use Bolt for Java. A real app
 * also checks the signature of each request with the workspace's signing secret.
 */
final class TodoApp {
    private final HttpServer server;

    TodoApp() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/slack/events", TodoApp::receive);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/slack/events";
    }

    void stop() {
        server.stop(0);
    }

    private static void receive(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (form.contains("command=")) {
            acknowledge(exchange, show(find("(?:^|&)text=([^&]*)", form)));
        } else {
            acknowledge(exchange, "");
            finish(find("payload=([^&]*)", form));
        }
    }

    private static String show(String task) {
        return """
            {"response_type": "in_channel", "text": "%1$s", "blocks": [{
              "type": "section", "text": {"type": "plain_text", "text": "%1$s"}, "accessory": {
                "type": "button", "action_id": "done", "text": {"type": "plain_text", "text": "Done"}, "value": "%1$s"}
            }]}""".formatted(task);
    }

    private static void finish(String payload) throws IOException {
        String answer = "{\"replace_original\": true, \"text\": \"Done: %s\"}"
                .formatted(find("\"value\":\"([^\"]*)\"", payload));
        URI url = URI.create(find("\"response_url\":\"([^\"]*)\"", payload));
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(answer))
                .build();
        try {
            HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
        } catch (InterruptedException error) {
            throw new IOException(error);
        }
    }

    private static String find(String pattern, String text) {
        var match = Pattern.compile(pattern).matcher(text);
        return match.find() ? URLDecoder.decode(match.group(1), StandardCharsets.UTF_8) : "";
    }

    private static void acknowledge(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
