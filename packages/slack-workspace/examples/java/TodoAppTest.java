import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TodoAppTest {
    private static TodoApp app;
    private static LocalWorkspace workspace;

    @BeforeAll
    static void start() throws IOException {
        app = new TodoApp();
        workspace = new LocalWorkspace(System.getProperty("manifest", "manifest.json"), app.url());
    }

    @AfterAll
    static void stop() {
        workspace.close();
        app.stop();
    }

    @BeforeEach
    void reset() {
        workspace.reset();
    }

    @Test
    void aTaskIsAddedWithACommandAndDoneWithItsButton() {
        var ana = workspace.person("Ana");
        ana.open("#general");
        ana.type("/todo Buy milk");
        ana.sees("Buy milk");
        ana.press("Done");
        ana.sees("Done: Buy milk");
    }

    @Test
    void aFailedExpectationSaysWhatIsVisible() {
        var ana = workspace.person("Ana");
        ana.open("#general");
        ana.type("/todo Buy milk");
        var error = assertThrows(AssertionError.class, () -> ana.sees("Buy bread"));
        assertTrue(error.getMessage().contains("Buy milk"), error.getMessage());
    }
}
