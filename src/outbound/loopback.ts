// The names of this machine for itself, as a URL has them.

const names = ['localhost', '127.0.0.1', '[::1]']

export const isLoopback = (hostname: string): boolean => names.includes(hostname)

/**
 * This machine is reached past the proxies that `HTTP_PROXY` and `NODE_USE_ENV_PROXY` name: a proxy elsewhere cannot reach it. For `fetch`
 * of this process, and for the processes that it starts.
 */
export function reachLoopbackDirectly(env: NodeJS.ProcessEnv): void {
  const others = env.no_proxy ?? env.NO_PROXY
  // In both spellings: the first one that is set counts.
  for (const name of ['no_proxy', 'NO_PROXY']) env[name] = [others, ...names].filter(Boolean).join(',')
}
