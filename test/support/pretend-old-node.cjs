// Loaded first, makes this Node look like one that cannot run the app.
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
