// The exporters whose metrics hosts.rules.yml uses, as Debian packages them.
import { join } from 'node:path'
import { freePort } from '../../local/ports.ts'
import { findProgram, type Server, startServer } from '../world/programs.ts'

export async function startNodeExporter(dataDir: string): Promise<Server> {
  const port = await freePort()
  const flags = [`--web.listen-address=127.0.0.1:${port}`, '--collector.disable-defaults', '--collector.filesystem']
  const program = findProgram('prometheus-node-exporter', 'prometheus-node-exporter')
  return startServer(program, flags, { port, logFile: join(dataDir, 'node_exporter.log') })
}

/** `url`: with a role that may only read. */
export async function startPostgresExporter(dataDir: string, url: string): Promise<Server> {
  const port = await freePort()
  const program = findProgram('prometheus-postgres-exporter', 'prometheus-postgres-exporter')
  const flags = [`--web.listen-address=127.0.0.1:${port}`]
  const env = { DATA_SOURCE_NAME: `${url}?sslmode=disable` }
  return startServer(program, flags, { port, logFile: join(dataDir, 'postgres_exporter.log'), env })
}
