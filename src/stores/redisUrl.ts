// The forms of the address of Redis. Pure.

/** `host`, `host:port`, `[IPv6]:port`. */
const node = /^([^\s:@/?#[\]\\]+|\[[0-9a-f:.]+\])(:(\d{1,5}))?$/i

const isNode = (text: string): boolean => {
  const port = Number(node.exec(text)?.[3] ?? 6379)
  return node.test(text) && port > 0 && port <= 65_535
}

/** `redis://host/number`, or for Sentinel and Cluster several nodes: `redis+sentinel://host:port,host:port/master`. */
export function isRedisUrl(text: string): boolean {
  const match = /^(rediss?|redis\+(?:sentinel|cluster)):\/\/([^/?#\s]*)(\/[^?#\s]*)?(\?[^#\s]*)?$/.exec(text)
  if (!match) return false
  const [, scheme = '', authority = '', path = ''] = match
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',')
  if (!hosts.every(isNode) || !isDecodable(text)) return false
  if (scheme.startsWith('redis+')) return true
  return hosts.length === 1 && /^(\/\d{0,5})?$/.test(path)
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0')
  } catch {
    return false
  }
}
