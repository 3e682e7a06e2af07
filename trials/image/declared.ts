// The processes that the image, docker-compose.yml and the manifests of Kubernetes start, as these files say it.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { repository } from '../world/supervise.ts'
import type { ImageConfig } from './builder.ts'

export type Declared = {
  /** Where it is declared. */
  where: string
  command: readonly string[]
  /** The health check, a command in the same container. */
  healthcheck?: readonly string[]
  /** Paths that answer with success, at the port of the metrics. */
  probes: readonly string[]
  user?: number
  memoryMb?: number
  env: Record<string, string>
}

const read = (file: string) => readFileSync(join(repository, file), 'utf8')
export const isMigration = ({ command }: Declared): boolean => command.includes('ops/migrate.ts')

export const ofImage = ({ Cmd, Healthcheck }: ImageConfig): Declared => ({
  ...{ where: 'Dockerfile', command: Cmd, healthcheck: wordsOf(Healthcheck.Test), probes: [], env: {} },
})

/** Those of our image, with these values for the variables. */
export function ofCompose(variables: Record<string, string>): Declared[] {
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into field by field
  const services = Object.entries<any>(parse(read('docker-compose.yml'), { merge: true }).services)
  return services
    .filter(([, { build }]) => build)
    .map(([name, { command, environment, healthcheck, deploy, user }]) => ({
      where: `compose ${name}`,
      command,
      healthcheck: healthcheck.disable ? undefined : wordsOf(healthcheck.test),
      probes: [],
      user,
      memoryMb: Number.parseInt(deploy.resources.limits.memory, 10),
      env: filledIn(environment, variables),
    }))
}

/** `${NAME:-default}` and `${NAME:?message}`, as Compose reads them. */
function filledIn(environment: Record<string, unknown>, variables: Record<string, string>): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name, kind, rest) => {
      const given = variables[name] ?? (kind === '-' ? rest : undefined)
      if (given === undefined) throw new Error(`docker-compose.yml needs ${name}: ${rest}`)
      return given
    })
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(String(value))]))
}

export function ofKubernetes(): Declared[] {
  const base = 'ops/kubernetes/base'
  const [worker] = podsOf(`${base}/worker/worker.yaml`)
  const pools = globSync(`${base}/pools/*/kustomization.yaml`, { cwd: repository }).map((file) => {
    const { patches } = parse(read(file))
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into field by field
    const operations: any[] = patches.flatMap(({ patch }: { patch: string }) => parse(patch))
    const command = operations.find(({ path }) => path.endsWith('/containers/0/command')).value
    return { ...worker!, where: `kubernetes ${basename(dirname(file))}`, command }
  })
  return [...podsOf(`${base}/migrations.yaml`), ...podsOf(`${base}/api.yaml`), ...pools]
}

function podsOf(file: string): Declared[] {
  const pods = parseAllDocuments(read(file)).map((document) => document.toJS().spec?.template?.spec)
  return pods.filter(Boolean).map(({ containers: [container], securityContext }) => ({
    where: `kubernetes ${container.name}`,
    command: container.command,
    probes: [container.startupProbe, container.livenessProbe, container.readinessProbe]
      .filter(Boolean)
      .map(({ httpGet }) => httpGet.path),
    user: securityContext.runAsUser,
    memoryMb: Number.parseInt(container.resources.limits.memory, 10),
    env: {},
  }))
}

/** Without its first word, which says how it is run. */
const wordsOf = ([kind, ...words]: readonly string[]): string[] => {
  if (kind !== 'CMD') throw new Error(`a health check of the kind ${kind} needs a shell`)
  return words
}
