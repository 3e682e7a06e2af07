import { texts } from '../texts.ts'
import { Outward } from './a.tsx'
import type { Call } from './call.ts'
import { Input } from './fields.tsx'
import { useField } from './form.tsx'

const words = texts.eventDetails

/** How people join; the rest is asked for once there is an address. */
export function CallFields() {
  const { value: address } = useField<string>('conference_url')
  return (
    <>
      <Input name="conference_url" param="conference.url" label={words.callAddress} hint={words.callHint} type="url" />
      {address !== '' && (
        <div className="row">
          <Input name="conference_provider" param="conference.provider" label={words.callProvider} />
          <Input name="conference_phone" param="conference.phone" label={words.callPhone} />
          <Input name="conference_pin" param="conference.pin" label={words.callPin} />
        </div>
      )}
    </>
  )
}

export const CallText = ({ of: { url, provider, phone, pin } }: { of: Call }) => (
  <>
    <Outward href={url}>{provider}</Outward>
    {phone && <p>{`${words.callPhone}: ${phone}`}</p>}
    {pin && <p>{`${words.callPin}: ${pin}`}</p>}
  </>
)

export const callLabels = {
  conference_url: words.callAddress,
  conference_provider: words.callProvider,
  conference_pin: words.callPin,
  conference_phone: words.callPhone,
}
