// The test runner sets variables of its own, and `BASE_URL` and `NODE_ENV` mean something to the service. The processes
// that tests start inherit none of them.
for (const name of ['BASE_URL', 'NODE_ENV', 'MODE', 'DEV', 'PROD', 'SSR', 'TEST']) delete process.env[name]
