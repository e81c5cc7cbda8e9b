// Secrets that show what they are by their form: a prefix, a length, an alphabet. One line a kind, as their makers document them.

/** A kind of secret. `find` matches it; a group named `s` is the secret where more had to be matched. */
export interface Pattern {
  readonly kind: string;
  readonly find: RegExp;
}

/** Not within a longer word. */
const form = (source: string, flags = 'g'): RegExp => new RegExp(`(?<![A-Za-z0-9])(?:${source})(?![A-Za-z0-9])`, flags);

const CODE: readonly (readonly [string, string])[] = [
  ['github token', 'gh[opusr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}'],
  [
    'gitlab token',
    '(?:glpat|gldt|glrt|glrtr|glcbt|glptt|glft|glimt|glagent|gloas|glsoat|glffct)-[\\w-]{20,}|GR1348941[\\w-]{20,}',
  ],
  ['bitbucket token', 'ATBB[A-Za-z0-9_=.-]{24,}'],
  ['atlassian token', 'AT[AC]TT3[A-Za-z0-9_=-]{60,}'],
  ['npm token', 'npm_[A-Za-z0-9]{36}'],
  ['pypi token', 'pypi-AgE[\\w-]{50,}'],
  ['rubygems token', 'rubygems_[0-9a-f]{48}'],
  ['crates token', 'cio[A-Za-z0-9]{32}'],
  ['nuget key', 'oy2[a-z0-9]{43}'],
  ['docker token', 'dckr_[op]at_[\\w-]{20,}'],
  ['jfrog token', 'AKC[A-Za-z0-9]{20,}|cmVmdGtuOj[A-Za-z0-9]{40,}'],
  ['circleci token', 'CCI(?:PAT|PRJ)_[A-Za-z0-9]{16,}_[0-9a-f]{40}'],
  ['buildkite token', 'bk(?:ua|aj|ct|at)_[0-9a-f]{40}'],
  ['sonar token', 'sq[apu]_[0-9a-f]{40}'],
  ['postman key', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['launchdarkly key', '(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'],
  ['linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,128}'],
  ['notion token', 'ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}'],
  ['airtable token', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'],
  ['figma token', 'fig[dour]_[\\w-]{40,200}'],
  ['typeform token', 'tfp_[\\w-]{40,}'],
  ['contentful token', 'CFPAT-[\\w-]{43}'],
  ['readme key', 'rdme_[a-z0-9]{70}'],
];

const MODELS: readonly (readonly [string, string])[] = [
  ['anthropic key', 'sk-ant-[a-z]{3,6}\\d\\d-[\\w-]{20,}'],
  ['openai key', 'sk-(?:proj|svcacct|admin|None|or-v1)-[\\w-]{20,}|sk-[A-Za-z0-9]{20,}|sess-[A-Za-z0-9]{40}'],
  ['groq key', 'gsk_[A-Za-z0-9]{40,}'],
  ['hugging face token', '(?:hf|api_org)_[A-Za-z0-9]{30,}'],
  ['replicate token', 'r8_[A-Za-z0-9]{37,}'],
  ['perplexity key', 'pplx-[A-Za-z0-9]{40,}'],
  ['xai key', 'xai-[A-Za-z0-9]{60,}'],
  ['factory key', 'fk-[\\w-]{20,}'],
  ['langsmith key', 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'],
];

const CLOUD: readonly (readonly [string, string])[] = [
  ['aws key id', '(?:A3T[A-Z0-9]|AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16}'],
  ['aws bedrock key', 'ABSK[A-Za-z0-9+/]{60,}={0,2}'],
  ['google key', 'AIza[\\w-]{35}'],
  ['google oauth secret', 'GOCSPX-[\\w-]{28}|ya29\\.[\\w-]{20,}|1//0[\\w-]{40,}'],
  ['azure secret', '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'],
  ['alibaba key id', 'LTAI[A-Za-z0-9]{12,20}'],
  ['tencent key id', 'AKID[A-Za-z0-9]{13,40}'],
  ['digitalocean token', 'do[opr]_v1_[0-9a-f]{64}'],
  ['heroku key', 'HRKU-[\\w-]{36,}'],
  ['vercel token', 'vc[aciprk]_[A-Za-z0-9]{20,60}'],
  ['netlify token', 'nf[pcoub]_[A-Za-z0-9]{36,}'],
  ['fly token', 'fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}|fo1_[\\w-]{40,}'],
  ['render key', 'rnd_[A-Za-z0-9]{28,}'],
  ['supabase key', 'sbp_[0-9a-f]{40}|sb_secret_[\\w-]{20,}'],
  ['planetscale token', 'pscale_(?:tkn|pw|oauth)_[\\w.-]{32,64}'],
  ['databricks token', 'dapi[0-9a-f]{32}(?:-\\d)?'],
  ['pulumi token', 'pul-[0-9a-f]{40}'],
  ['terraform token', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}'],
  ['vault token', 'hv[bsr]\\.[\\w-]{24,300}'],
  ['doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}'],
  [
    '1password token',
    'ops_ey[A-Za-z0-9+/=_-]{100,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  ],
  ['tailscale key', 'tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{20,}'],
  ['age key', 'AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}'],
];

const SERVICES: readonly (readonly [string, string])[] = [
  ['slack token', 'xox[abeoprs]-[A-Za-z0-9-]{10,}|xoxe\\.xox[bp]-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{10,}'],
  ['discord token', '[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}'],
  ['telegram token', '\\d{8,10}:AA[\\w-]{33}'],
  ['matrix token', 'syt_[A-Za-z0-9_=]+_[A-Za-z]{20}_[A-Za-z0-9]{6}'],
  ['stripe key', '[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,247}'],
  ['webhook secret', 'whsec_[A-Za-z0-9+/=_-]{24,}'],
  ['square token', 'sq0[a-z]{3}-[\\w-]{22,43}|EAAA[\\w-]{60}'],
  ['shopify token', 'shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}'],
  ['plaid token', 'access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['braintree token', 'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}'],
  ['flutterwave key', 'FLWSECK(?:_TEST)?-[0-9a-zA-Z]{32}-X'],
  ['sendgrid key', 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}'],
  ['mailgun key', 'key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}'],
  ['mailchimp key', '[0-9a-f]{32}-us\\d{1,2}'],
  ['brevo key', 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ['resend key', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}'],
  ['twilio key', 'SK[0-9a-f]{32}'],
  ['hubspot token', 'pat-(?:na|eu)\\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['mapbox token', 'sk\\.eyJ[\\w-]{20,}\\.[\\w-]{20,}'],
  ['facebook token', 'EAA[A-Z][A-Za-z0-9]{80,}'],
  ['dropbox token', 'sl\\.(?:u\\.)?[\\w-]{100,}'],
  ['grafana token', 'gl(?:c_[A-Za-z0-9+/]{32,400}={0,2}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})|eyJrIjoi[\\w=-]{40,}'],
  ['sentry token', 'sntrys_eyJ[A-Za-z0-9+/=_-]{40,}|sntryu_[0-9a-f]{64}'],
  ['new relic key', 'NR(?:AK|II|AA|JS|RA|IQ)-[A-Za-z0-9_-]{20,42}'],
  ['dynatrace token', 'dt0[a-zA-Z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['honeycomb key', 'hc[abcmx](?:ik|lk|mk)_[A-Za-z0-9]{50,70}'],
  ['posthog key', 'phx_[A-Za-z0-9]{40,}'],
  // Three parts of base64url of which the first two are JSON objects; a shortened last part is one still.
  ['jwt', 'eyJ[\\w-]{8,}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*)?'],
  ['password hash', '\\$(?:2[abxy]|argon2(?:id|i|d)|[156]|y)\\$[A-Za-z0-9./$=,+-]{20,}'],
];

const pattern = ([kind, source]: readonly [string, string]): Pattern => ({ kind, find: form(source) });

/** All kinds known by their form. */
export const TOKEN_FORMATS: readonly Pattern[] = [CODE, MODELS, CLOUD, SERVICES].flatMap((group) => group.map(pattern));
