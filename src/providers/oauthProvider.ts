// The differences between providers that are connected through OAuth.
import type { Capability, ReauthorizationReason } from './rules.ts'

export const oauthProviderNames = ['google', 'microsoft'] as const
export type OauthProviderName = (typeof oauthProviderNames)[number]

export type OauthProvider = {
  name: OauthProviderName
  /** Of ID tokens. `{tenantid}` stands for the tenant that the token names. */
  issuer: string
  authorizationUrl: string
  tokenUrl: string
  /** Undefined: tokens cannot be revoked. */
  revocationUrl: string | undefined
  clientId: string
  clientSecret: string
  /** Where its interface is: the `server` of an account. */
  apiUrl: string
  /** The requested scopes besides `openid`. */
  scopesOf(capabilities: readonly Capability[]): string[]
  /** The capabilities that these scopes, which a human has allowed, are enough for. */
  grantedBy(scopes: ReadonlySet<string>): Capability[]
  /** Further parameters of the address that the human is sent to. */
  parameters: Readonly<Record<string, string>>
  /** Why new tokens are refused for good; undefined if that is our trouble or the provider's. */
  refusalOf(error: string, description: string): ReauthorizationReason | undefined
}
