import { Input } from '../../parts/fields.tsx'
import { texts } from '../../texts.ts'

/** The fields that can be changed later, too. */
export const OrganizationKeyFields = () => (
  <>
    <Input name="expires" param="expires_at" label={texts.expiresOn} type="date" hint={texts.expiresHint} />
    <Input name="addresses" param="allowed_ips" label={texts.allowedAddresses} hint={texts.allowedAddressesHint} />
  </>
)
