// The door to Redis: connections that give up quickly (requests) or never (workers), and Lua scripts by name.
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../observability/log.ts'

export type RedisClient = Redis | Cluster

const retryDelayMs = (attempt: number) => Math.min(50 * 2 ** attempt, 1_000)

/**
 * Behind one name, a Redis that became a replica keeps its connections, and refuses each change. A new connection leads to the
 * master; a patient one sends the refused command there, which had no effect.
 */
const nowOfReplica = ({ message }: Error) => (message.startsWith('READONLY') ? 2 : false)

type ConnectionOptions = RedisOptions & { enableOfflineQueue: boolean }

/** `patient` connections wait for a lost Redis (workers); the others fail at once, so that requests continue without it. */
export function openRedis(url: string, log: Log, patience: 'patient' | 'impatient'): RedisClient {
  const options: ConnectionOptions = {
    maxRetriesPerRequest: patience === 'patient' ? null : 1,
    enableOfflineQueue: patience === 'patient',
    connectTimeout: 2_000,
    // Long enough for a busy machine: a command that was given up may have been executed, and then counts are not exact.
    commandTimeout: patience === 'patient' ? undefined : 1_000,
    // A Redis that hangs counts as lost after this silence: from then on nothing waits for it.
    socketTimeout: patience === 'patient' ? undefined : 1_000,
    retryStrategy: retryDelayMs,
    reconnectOnError: nowOfReplica,
  }
  const client = connect(url, options)
  let known: string | undefined
  client.on('error', (error: Error) => {
    // One line when the trouble begins, not one per attempt to reconnect.
    if (known !== error.message) log.warn({ error: error.message }, 'redis is not reachable')
    known = error.message
  })
  client.on('ready', () => {
    if (known) log.info('redis is reachable again')
    known = undefined
  })
  return client
}

/**
 * `redis://`, `rediss://`, `redis+sentinel://host:port,host:port/master` or `redis+cluster://host:port,host:port`. The last two
 * take `?tls=true`, and the sentinels `&sentinel_password=`.
 */
function connect(url: string, options: ConnectionOptions): RedisClient {
  if (url.startsWith('redis+sentinel:')) return openSentinels(url, options)
  if (url.startsWith('redis+cluster:')) return openCluster(url, options)
  return new Redis(url, options)
}

function openSentinels(url: string, options: ConnectionOptions): Redis {
  const { nodes, login, path, tls, settings } = readNodes(url, 26379)
  return new Redis({
    ...options,
    ...login,
    ...(tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
    sentinels: nodes,
    sentinelPassword: settings.get('sentinel_password') ?? undefined,
    name: path || 'mymaster',
  })
}

function openCluster(url: string, { enableOfflineQueue, ...redisOptions }: ConnectionOptions): Cluster {
  const { nodes, login, tls } = readNodes(url, 6379)
  const cluster = new Cluster(nodes, {
    redisOptions: { ...redisOptions, ...login, tls },
    enableOfflineQueue,
    clusterRetryStrategy: retryDelayMs,
    slotsRefreshInterval: 2_000,
    // Each takes a tenth of a second: requests give up soon, workers wait until a replica takes over.
    maxRedirections: enableOfflineQueue ? 80 : 3,
  })
  return settling(cluster)
}

/** `scheme://user:password@host:port,host:port/path?settings`: no URL, as it names several hosts. Checked by the configuration. */
function readNodes(url: string, defaultPort: number) {
  const [, authority = '', path = '', query = ''] = /^[^:]+:\/\/([^/?]*)\/?([^?]*)\??(.*)$/.exec(url) ?? []
  const [hosts = '', credentials = ''] = authority.split('@').reverse()
  const [username, password] = credentials.split(':').map(decodeURIComponent)
  const settings = new URLSearchParams(query)
  return {
    nodes: hosts.split(',').map((item) => {
      const [, address, name, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(item) ?? []
      return { host: address ?? name ?? '', port: Number(port ?? defaultPort) }
    }),
    login: { username: username || undefined, password: password || undefined },
    path,
    tls: settings.get('tls') === 'true' ? {} : undefined,
    settings,
  }
}

/**
 * Makes `connect` resolve when the cluster is ready. In ioredis it never resolves if the cluster was down in between, although
 * the client keeps trying and succeeds: a BullMQ worker that reconnects would wait for ever. BullMQ blocks on duplicates, so
 * they get the same.
 */
function settling(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster)
  const duplicate = cluster.duplicate.bind(cluster)
  let reached: Promise<void> | undefined
  cluster.connect = () => {
    reached ??= untilReady(cluster).finally(() => {
      reached = undefined
    })
    return Promise.race([connect(), reached])
  }
  cluster.duplicate = ((...how) => settling(duplicate(...how))) as Cluster['duplicate']
  return cluster
}

/** Rejects if the cluster is given up first. An error is not the end: the client tries again. */
function untilReady(cluster: Cluster): Promise<void> {
  return new Promise((resolve, reject) => {
    const afterwards = (settle: () => void) => () => {
      cluster.off('ready', ready).off('end', ended)
      settle()
    }
    const ready = afterwards(resolve)
    const ended = afterwards(() => reject(new Error('The connection to the cluster was given up')))
    cluster.on('ready', ready).on('end', ended)
  })
}

/** The servers that hold keys: the one Redis, or each master of a cluster that is within reach. */
export const mastersOf = (redis: RedisClient): Redis[] => (redis instanceof Cluster ? redis.nodes('master') : [redis])

/** Calls `listener` whenever Redis, or a node of a cluster, is lost. A cluster itself closes only with its last node. Returns how to stop. */
export function onLost(redis: RedisClient, listener: () => void): () => void {
  const events = ['close', '-node']
  for (const event of events) redis.on(event, listener)
  return () => {
    for (const event of events) redis.off(event, listener)
  }
}

type Script = (keys: string[], args: (string | number)[]) => Promise<unknown>

/** A Lua script, sent by its hash. All keys of one call carry one hash tag, so that it also runs on a cluster. */
export function defineScript(redis: RedisClient, name: string, lua: string): Script {
  // With a prefix, because the command becomes a property of the client, which already has a `slots` and others.
  const property = `script_${name}`
  redis.defineCommand(property, { lua })
  const command = (redis as unknown as Record<string, (...rest: unknown[]) => Promise<unknown>>)[property]!.bind(redis)
  return (keys, args) => command(keys.length, ...keys, ...args)
}

/** Whether it takes commands: a Redis that loads its data is there, and refuses them. */
export const isServing = async (redis: RedisClient): Promise<boolean> =>
  redis.status === 'ready' &&
  redis.ping().then(
    () => true,
    () => false,
  )

export const isCluster = (redis: RedisClient): boolean => redis instanceof Cluster
