// `npm run trial -- scaling rolling-restart [stories a second]`: two API processes behind nginx and four workers, over
// PgBouncer in transaction mode, are replaced one after the other under load. No request may fail.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../local/ports.ts'
import { replace } from '../faults/replace.ts'
import { noRequestFails, runFaults } from '../faults/trial.ts'
import { findProgram, startServer } from '../world/programs.ts'
import { startPooler } from './pooler.ts'

const rounds = 3

/** The configuration of the compose file, on other ports and in the foreground. */
const settings = readFileSync(new URL('../../ops/nginx/calendar.conf', import.meta.url), 'utf8')

async function startNginx(apiPorts: readonly number[], dataDir: string) {
  const directory = join(dataDir, 'nginx')
  mkdirSync(directory)
  const port = await freePort()
  const servers = apiPorts.map((apiPort) => `server 127.0.0.1:${apiPort} max_fails=0;`).join(' ')
  const site = settings.replace(/server api:3000[^;]*;/, servers).replace(/listen 8080;/, `listen 127.0.0.1:${port};`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(directory, name)};`)
    .join('\n')
  const config = join(directory, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off;
user root;
worker_processes 1;
pid ${join(directory, 'nginx.pid')};
error_log ${join(directory, 'error.log')};
events { worker_connections 1024; }
http {
${places}
  access_log ${join(directory, 'access.log')};
${site}
}
`.replace('user root;\n', process.getuid?.() === 0 ? 'user root;\n' : ''),
  )
  const program = findProgram('nginx', 'nginx-light')
  const args = ['-c', config, '-e', join(directory, 'error.log')]
  const server = await startServer(program, args, { port, logFile: join(dataDir, 'nginx.log'), signal: 'SIGQUIT' })
  return { url: `http://127.0.0.1:${port}`, stop: () => server.stop() }
}

process.exit(
  await runFaults({
    what: 'Two API processes behind nginx, four workers, PgBouncer in transaction mode',
    installation: {
      workers: 4,
      balancer: startNginx,
      pooler: (databaseUrl) => startPooler(databaseUrl, 20),
    },
    storiesPerSecond: Number(process.argv[2] ?? 6),
    expect: noRequestFails,
    faults: [
      {
        name: 'replace-api',
        what: `each API process is replaced, ${rounds} times`,
        async run({ apis }, findings) {
          for (let nth = 0; nth < rounds * apis.length; nth++) {
            const api = apis[nth % apis.length]!
            await replace(api, findings)
            await api.ready()
            await pause(1_000)
          }
        },
      },
      {
        name: 'replace-workers',
        what: `each worker is replaced, ${rounds} times`,
        async run({ workers }, findings) {
          for (let nth = 0; nth < rounds * workers.length; nth++) {
            const worker = workers[nth % workers.length]!
            await replace(worker, findings)
            await worker.ready()
          }
        },
      },
    ],
  }),
)
