// Calls of the API that set the scene of a trial.

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Made = any

type Call = (
  method: string,
  path: string,
  options?: { key?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<{ status: number; body: Made }>

export type Organization = {
  id: string
  key: string
  /** POST with its key; throws unless that succeeds. */
  create(path: string, body: object): Promise<Made>
}

/** Plain calls: unlike those of the tests they are not compared with the document of the API. */
export const callOf =
  (baseUrl: string): Call =>
  async (method, path, { key, body, headers } = {}) => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    }
  }

/** The body of a success; throws otherwise. */
export async function made(calling: ReturnType<Call>): Promise<Made> {
  const { status, body } = await calling
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

type OrganizationOptions = { plan?: 'free' | 'pro' | 'custom'; limits?: Record<string, number> }

/** With so high a rate that it does not hold a trial back. */
export async function makeOrganization(
  call: Call,
  adminToken: string,
  { plan = 'custom', limits }: OrganizationOptions = {},
): Promise<Organization> {
  const owner = { name: 'Trial', email: 'trial@example.com' }
  const body = { ...owner, plan, limits, ...(plan === 'custom' && { rate_limit_per_second: 1_000_000 }) }
  const { org, api_key: key } = await made(call('POST', '/v1/admin/orgs', { key: adminToken, body }))
  return { id: org.id, key, create: (path, body) => made(call('POST', path, { key, body })) }
}
