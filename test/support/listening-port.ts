export { findFreePort, listenOnFreePort } from 'slack-workspace-emulator/test-support/listening-port';
