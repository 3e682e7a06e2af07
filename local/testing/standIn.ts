// Stands in for api/main.ts and workers/main.ts in tests of the supervision: serves the two routes that a start calls,
// and ends in each way that a process can end.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [name, behaviour, journal] = process.argv.slice(2)
appendFileSync(journal!, `${name} ${process.pid}\n`)
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => {
  if (behaviour === 'stubborn') return
  appendFileSync(journal!, `${name} stopped\n`)
  process.exit(0)
})

if (behaviour === 'broken') {
  console.error(`${name}: cannot read its configuration`)
  process.exit(3)
}
const server = createServer((request, response) => {
  if (request.url === '/v1/admin/orgs') response.writeHead(201)
  response.end(JSON.stringify({ org: { id: 'org_stand_in' }, api_key: `svc_sk_${process.pid}` }))
})
server.listen(name === 'api' ? Number(process.env.PORT) : 0, () => process.send!({ ready: true }))
