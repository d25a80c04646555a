// Preloaded to make Node look like a version that can't run the app.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
