// The door to Redis: connections that give up quickly (requests) or never (workers), and Lua scripts by name.
import { Cluster, Redis } from 'ioredis'
import type { Log } from '../observability/log.ts'

export type RedisClient = Redis | Cluster

const retryDelayMs = (attempt: number) => Math.min(50 * 2 ** attempt, 1_000)

/** `patient` connections wait for a lost Redis (workers); the others fail at once, so that requests go on without it. */
export function openRedis(url: string, log: Log, patience: 'patient' | 'impatient'): RedisClient {
  const options = {
    maxRetriesPerRequest: patience === 'patient' ? null : 1,
    enableOfflineQueue: patience === 'patient',
    connectTimeout: 2_000,
    // Long enough for a busy machine: a command given up may have happened, and then counts are no longer exact.
    commandTimeout: patience === 'patient' ? undefined : 1_000,
    // A Redis that hangs counts as lost after this silence: from then on nobody waits for it any more.
    socketTimeout: patience === 'patient' ? undefined : 1_000,
    retryStrategy: retryDelayMs,
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
 * take `?tls=true`, and `sentinel_password` where the sentinels ask for one.
 */
function connect(url: string, options: object): RedisClient {
  const match = /^redis\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url)
  if (!match) return new Redis(url, options)
  const [, kind, credentials, list, name, query] = match
  const [username, password] = (credentials ?? '').split(':').map(decodeURIComponent)
  const login = { username: username || undefined, password: password || undefined }
  const nodes = (list ?? '').split(',').map((item) => {
    const [host = 'localhost', port = kind === 'sentinel' ? '26379' : '6379'] = item.split(':')
    return { host, port: Number(port) }
  })
  const settings = new URLSearchParams(query)
  const tls = settings.get('tls') === 'true' ? {} : undefined
  if (kind === 'sentinel') {
    const sentinelPassword = settings.get('sentinel_password') ?? undefined
    const secure = tls && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }
    return new Redis({ ...options, ...login, ...secure, sentinels: nodes, sentinelPassword, name: name || 'mymaster' })
  }
  const { enableOfflineQueue, ...redisOptions } = options as { enableOfflineQueue: boolean }
  const cluster = new Cluster(nodes, {
    redisOptions: { ...redisOptions, ...login, tls },
    enableOfflineQueue,
    clusterRetryStrategy: retryDelayMs,
    slotsRefreshInterval: 2_000,
    // A tenth of a second each: requests give up soon, workers wait for a replica to take over.
    maxRedirections: enableOfflineQueue ? 80 : 3,
  })
  return steady(cluster)
}

/**
 * A cluster whose `connect` ends when it is ready. That of ioredis never does once the cluster called itself down in
 * between, although it goes on trying and gets there: a worker of BullMQ that connects anew would wait for ever. BullMQ
 * blocks on duplicates.
 */
function steady(cluster: Cluster): Cluster {
  const connect = cluster.connect.bind(cluster)
  const duplicate = cluster.duplicate.bind(cluster)
  let reached: Promise<void> | undefined
  cluster.connect = () => {
    reached ??= untilReady(cluster).finally(() => {
      reached = undefined
    })
    return Promise.race([connect(), reached])
  }
  cluster.duplicate = ((...how) => steady(duplicate(...how))) as Cluster['duplicate']
  return cluster
}

/** Rejects when the cluster is given up before. Errors on the way are not the end: it tries again. */
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

/** Where the keys are: the one Redis, or each master of a cluster that can be reached. */
export const mastersOf = (redis: RedisClient): Redis[] => (redis instanceof Cluster ? redis.nodes('master') : [redis])

/** Whenever Redis is lost, or one node of a cluster, which itself closes with its last node only. Returns the way to stop. */
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
  // A name of its own: the command becomes a property of the client, which has `slots` and others itself.
  const property = `script_${name}`
  redis.defineCommand(property, { lua })
  const command = (redis as unknown as Record<string, (...rest: unknown[]) => Promise<unknown>>)[property]!.bind(redis)
  return (keys, args) => {
    corkTurn(redis)
    return command(keys.length, ...keys, ...args)
  }
}

const corked = new WeakSet<object>()

/** What the requests of one turn of the event loop ask leaves in one write: the system call costs more than the script. */
function corkTurn(redis: RedisClient): void {
  // A cluster has a connection per node; those are left alone.
  const stream = (redis as Partial<Redis>).stream
  if (!stream || corked.has(stream)) return
  corked.add(stream)
  stream.cork()
  setImmediate(() => {
    corked.delete(stream)
    stream.uncork()
  })
}
