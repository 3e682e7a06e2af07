// The address of Postgres, taken apart as libpq does: each part is decoded, `+` stays a plus, and hosts may be several, IPv6 in
// brackets, or the folder of a Unix socket. Pure.

/** `host`: a folder if it begins with a slash. */
type Host = { host: string; port: number }

export type DatabaseAddress = {
  hosts: readonly [Host, ...Host[]]
  user: string | undefined
  password: string | undefined
  database: string | undefined
  sslMode: string
  /** A file of certificates, or `system`. */
  sslRootCert: string | undefined
  /** Behind a pooler in transaction mode (`prepare=false`): no named statements, and no settings of a session. */
  isPooled: boolean
  /** Seconds, if the address says so. */
  connectTimeout: number | undefined
  /** Parameters of the session, such as `application_name`, `options`, `search_path`. */
  session: Readonly<Record<string, string>>
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Of libpq, of drivers and of poolers; Postgres itself knows none of them. */
const ofTheClient = new Set([
  ...[
    'host',
    'hostaddr',
    'port',
    'user',
    'password',
    'dbname',
    'prepare',
    'ssl',
    'sslmode',
    'sslrootcert',
    'sslcert',
    'sslkey',
  ],
  ...['sslcrl', 'sslpassword', 'sslsni', 'sslnegotiation', 'sslcompression', 'ssl_min_protocol_version', 'requirepeer'],
  ...['ssl_max_protocol_version', 'channel_binding', 'require_auth', 'gssencmode', 'krbsrvname', 'passfile', 'service'],
  ...[
    'connect_timeout',
    'keepalives',
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
    'tcp_user_timeout',
  ],
  ...['target_session_attrs', 'load_balance_hosts', 'fallback_application_name', 'client_encoding', 'pgbouncer'],
])

const expected = 'expected postgres://user:password@host:port/database'

/** Throws an Error with one line, which shows nothing of the address. */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const [, authority, path, query] = /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/i.exec(url.trim()) ?? []
  if (authority === undefined || /[\s\p{Cc}]/u.test(url.trim())) throw new Error(expected)
  const at = authority.lastIndexOf('@')
  const [user, ...password] = at < 0 ? [] : authority.slice(0, at).split(':')
  const parameters = parametersOf(query ?? '')
  const sslRootCert = parameters.sslrootcert
  return {
    hosts: hostsOf(parameters.host ?? authority.slice(at + 1), parameters.port, parameters.host !== undefined),
    user: parameters.user ?? (user ? decoded(user) : undefined),
    password: parameters.password ?? (password.length > 0 ? decoded(password.join(':')) : undefined),
    database: parameters.dbname ?? (path ? decoded(path) : undefined),
    sslMode: sslModeOf(parameters),
    sslRootCert,
    isPooled: parameters.prepare === 'false',
    connectTimeout: secondsOf(parameters.connect_timeout),
    session: Object.fromEntries(Object.entries(parameters).filter(([name]) => !ofTheClient.has(name))),
  }
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    if (!plain.includes('\0')) return plain
  } catch {
    // It is refused below.
  }
  throw new Error(expected)
}

function parametersOf(query: string): Record<string, string> {
  const pairs = query.split('&').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value] = /^([^=]+)=(.*)$/.exec(pair) ?? []
      if (value === undefined) throw new Error(`${expected}?name=value`)
      return [decoded(name), decoded(value)]
    }),
  )
}

/** `isPlain`: the hosts are of a parameter, which is decoded already and has no ports. */
function hostsOf(list: string, ports: string | undefined, isPlain: boolean): [Host, ...Host[]] {
  const given = ports?.split(',') ?? []
  const [first, ...others] = list.split(',').map((item, nth) => {
    const [, name = '', port] = (isPlain ? undefined : /^(\[[^\]]+\]|[^:[\]]*)(?::(\d*))?$/.exec(item)) ?? []
    if (!isPlain && port === undefined && item !== name) throw new Error(expected)
    const host = isPlain ? item : decoded(name.replace(/^\[|\]$/g, ''))
    return { host: host || 'localhost', port: portOf(given[nth] ?? given[0] ?? port) }
  })
  return [first!, ...others]
}

function portOf(text: string | undefined): number {
  const port = Number(text || 5432)
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port
  throw new Error(expected)
}

function sslModeOf({ sslmode, ssl, sslrootcert }: Record<string, string>): string {
  const asked = sslmode ?? { true: 'verify-full', false: 'disable' }[ssl ?? ''] ?? ssl ?? 'disable'
  if (!sslModes.includes(asked)) throw new Error(`expected sslmode=${sslModes.join(', ')}`)
  return sslrootcert === 'system' ? 'verify-full' : asked
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text)) throw new Error('expected connect_timeout in whole seconds')
  return Number(text) || undefined
}

/** Where a server with this port puts its socket. */
export const socketFile = (folder: string, port: number): string => `${folder}/.s.PGSQL.${port}`

/**
 * The options for the driver instead of the address, which it does not decode in full. Its types do not allow several hosts.
 */
export const driverOptions = ({ hosts, user, password, database, isPooled }: DatabaseAddress) => ({
  host: hosts.map(({ host }) => host) as unknown as string,
  port: hosts.map(({ port }) => port) as unknown as number,
  ...(hosts[0].host.startsWith('/') && { path: socketFile(hosts[0].host, hosts[0].port) }),
  ...(user !== undefined && { user }),
  ...(password !== undefined && { password }),
  ...(database !== undefined && { database }),
  ...(isPooled && { prepare: false }),
})
