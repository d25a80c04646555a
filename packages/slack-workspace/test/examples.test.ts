import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const EMULATOR = join(import.meta.dirname, '..');
const EXAMPLES = join(EMULATOR, 'examples');
const PYTHON = join(EXAMPLES, 'python');

const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasPytest = hasPython && spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
const hasJava = spawnSync('javac', ['--version']).status === 0;

/** Runs a program of the examples, and returns what it prints and whether it succeeded. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ ok: boolean; output: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PYTHONDONTWRITEBYTECODE: '1',
    SLACK_WORKSPACE_COMMAND: `${process.execPath} ${join(EMULATOR, 'src/command/bin.ts')}`,
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });
}

test('the example for node:test, vitest and Jest passes', async () => {
  const { ok, output } = await run(process.execPath, ['--test', 'todo.test.js'], join(EXAMPLES, 'node'));
  expect(output).toContain('pass 2');
  expect(ok, output).toBe(true);
});

/** The fixtures of conftest.py and the tests of test_todo.py, without pytest. */
const WITHOUT_PYTEST = `
import threading, slack_workspace, todo_app, test_todo
app = todo_app.create_server()
threading.Thread(target=app.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{app.server_port}/slack/events"
with slack_workspace.start_workspace("../manifest.json", url) as workspace:
    ana = workspace.person("Ana")
    ana.open("#general")
    test_todo.test_a_task_is_added_with_a_command_and_done_with_its_button(ana)
    workspace.reset()
    test_todo.test_everybody_in_the_channel_sees_a_task(workspace, ana)
    print("2 passed")
    ana.sees("Buy milk", timeout_ms=100)
`;

test.skipIf(!hasPytest)('the example for pytest passes [pytest]', async () => {
  const { ok, output } = await run('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], PYTHON);
  expect(output).toContain('2 passed');
  expect(ok, output).toBe(true);
});

test.skipIf(!hasPython)(
  'Python’s standard library is enough, and its errors say what is visible [python]',
  async () => {
    const { ok, output } = await run('python3', ['-c', WITHOUT_PYTEST], PYTHON);
    expect(output).toContain('2 passed');
    expect(output).toMatch(
      /AssertionError: Waited 0.1 s for “Buy milk”\.\nVisible instead:\n[\s\S]*Buy bread/,
    );
    expect(ok).toBe(false);
  },
);

/** The part of JUnit 5 that the example uses, since JUnit isn't installed with Java. */
function writeJUnitSources(target: string): string[] {
  const folder = join(target, 'org/junit/jupiter/api');
  mkdirSync(folder, { recursive: true });
  const annotations = ['Test', 'BeforeAll', 'AfterAll', 'BeforeEach'].map((name) => [
    join(folder, `${name}.java`),
    `package org.junit.jupiter.api;
     @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
     public @interface ${name} {}`,
  ]);
  const assertions = `package org.junit.jupiter.api;
    public class Assertions {
      public interface Executable { void execute() throws Throwable; }
      public static void assertTrue(boolean is, String message) { if (!is) throw new AssertionError(message); }
      public static <T extends Throwable> T assertThrows(Class<T> type, Executable run) {
        try { run.execute(); } catch (Throwable error) { return type.cast(error); }
        throw new IllegalStateException("nothing was thrown");
      }
    }`;
  const runner = `import java.lang.annotation.Annotation;
    import org.junit.jupiter.api.*;
    public class RunTests {
      static void all(Class<? extends Annotation> type, Object test) throws Exception {
        for (var method : TodoAppTest.class.getDeclaredMethods()) {
          if (!method.isAnnotationPresent(type)) continue;
          if (type == Test.class) all(BeforeEach.class, test);
          method.setAccessible(true);
          method.invoke(test);
          if (type == Test.class) System.out.println(method.getName());
        }
      }
      public static void main(String[] args) throws Exception {
        all(BeforeAll.class, null);
        try { all(Test.class, new TodoAppTest()); } finally { all(AfterAll.class, null); }
        System.exit(0);
      }
    }`;
  const files = [
    ...annotations,
    [join(folder, 'Assertions.java'), assertions],
    [join(target, 'RunTests.java'), runner],
  ];
  for (const [path = '', source = ''] of files) writeFileSync(path, source);
  return files.map(([path = '']) => path);
}

let folder: string | undefined;
afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
});

test.skipIf(!hasJava)('the example for JUnit passes [java]', async () => {
  const sources = ['LocalWorkspace', 'TodoApp', 'TodoAppTest'].map((name) =>
    join(EXAMPLES, 'java', `${name}.java`),
  );
  folder = await mkdtemp(join(tmpdir(), 'java-'));
  const compiled = join(folder, 'compiled');
  const compiling = await run('javac', ['-d', compiled, ...writeJUnitSources(folder), ...sources], EXAMPLES);
  expect(compiling.ok, compiling.output).toBe(true);
  const { ok, output } = await run('java', ['-cp', compiled, 'RunTests'], EXAMPLES);
  expect(output).toContain('aTaskIsAddedWithACommandAndDoneWithItsButton');
  expect(output).toContain('aFailedExpectationSaysWhatIsVisible');
  expect(ok, output).toBe(true);
});
