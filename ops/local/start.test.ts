import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from './ports.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'start-test-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))
const script = fileURLToPath(new URL('./start.ts', import.meta.url))
const curlIsMissing = spawnSync('curl', ['--version']).error !== undefined

test('the line that a first start prints works as it stands', { skip: curlIsMissing }, async () => {
  const { DATABASE_URL: _, REDIS_URL: __, ...clean } = process.env
  const child = spawn(process.execPath, [script], {
    env: { ...clean, DATA_DIR: dataDir, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill())
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('Ctrl-C stops everything')) break
  }
  const line = /curl [\s\S]*?\n\n/.exec(output)?.[0]
  assert.ok(line, output)
  const answer = JSON.parse(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout)
  assert.match(answer.id ?? JSON.stringify(answer), /^agt_/)

  const docs = await fetch(/http\S+\/docs/.exec(output)![0])
  assert.equal(docs.status, 200)

  // The operator's tools find it without being told more than where.
  const environment = join(dataDir, 'environment')
  assert.equal(statSync(environment).mode & 0o777, 0o600)
  const ops = ['ops/cli/main.ts', 'orgs', 'list', '--json']
  const listed = spawnSync(process.execPath, ops, { env: { DATA_DIR: dataDir }, encoding: 'utf8' })
  assert.equal(listed.status, 0, listed.stderr)
  assert.equal(JSON.parse(listed.stdout).total, 1)
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.equal(existsSync(environment), false)
})
