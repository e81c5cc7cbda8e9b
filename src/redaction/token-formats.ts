// Secrets that show what they are by their form: a prefix, a length, an alphabet. One line a kind, named as gitleaks and secretlint name it.

import { matchesOf, type Span } from './spans.ts';

/** A kind of secret. `find` matches it; a group named `s` is the secret where more had to be matched. */
export interface Pattern {
  readonly kind: string;
  readonly find: RegExp;
}

/** Kinds by form. No repetition may be able to start at many places and run on from each to the end of the text: bound it. */
const FORMS: Readonly<Record<string, string>> = {
  // Code hosts, registries and tools
  'github-pat': 'gh[opusr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}',
  'gitlab-pat':
    '(?:glpat|gldt|glrt|glrtr|glcbt|glptt|glft|glimt|glagent|gloas|glsoat|glffct|glwt)-[\\w.-]{20,300}|GR1348941[\\w-]{20,100}|_gitlab_session=[0-9a-z]{32}',
  'bitbucket-client-secret': 'ATBB[A-Za-z0-9_=.-]{24,300}|BBDC-[A-Za-z0-9+/@_-]{40,50}',
  'atlassian-api-token': 'AT[AC]TT3[A-Za-z0-9_=-]{60,400}|ATSTT3[A-Za-z0-9_=-]{60,400}',
  'npm-access-token': 'npm_[A-Za-z0-9]{36}',
  'pypi-upload-token': 'pypi-AgE[\\w-]{50,1000}',
  'rubygems-api-token': 'rubygems_[0-9a-f]{48}',
  'crates-api-token': 'cio[A-Za-z0-9]{32}',
  'nuget-api-key': 'oy2[a-z0-9]{43}',
  'clojars-api-token': 'CLOJARS_[A-Za-z0-9]{60}',
  'docker-pat': 'dckr_[op]at_[\\w-]{20,60}',
  'artifactory-api-key': 'AKC[A-Za-z0-9]{20,100}|cmVmdGtuOj[A-Za-z0-9]{40,80}',
  'circleci-token': 'CCI(?:PAT|PRJ)_[A-Za-z0-9]{16,40}_[0-9a-f]{40}',
  'buildkite-token': 'bk(?:ua|aj|ct|at|pt)_[0-9a-f]{40}',
  'sonar-api-token': 'sq[apu]_[0-9a-f]{40}',
  'sourcegraph-access-token': 'sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}',
  'codecov-access-token': 'codecov_[A-Za-z0-9]{32,60}',
  'snyk-api-token': 'snyk_(?:uat|sat)\\.[A-Za-z0-9]{6,12}\\.[\\w.-]{30,200}',
  'postman-api-token': 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  'launchdarkly-access-token': '(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  'linear-api-key': 'lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,128}',
  'notion-api-token': 'ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}',
  'airtable-pat': 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
  'figma-pat': 'fig[dour]_[\\w-]{40,200}',
  'typeform-api-token': 'tfp_[\\w.=-]{40,100}',
  'contentful-pat': 'CFPAT-[\\w-]{43}',
  'readme-api-token': 'rdme_[a-z0-9]{70}',
  'asana-pat': '[12]/\\d{14,18}(?:/\\d{14,18})?:[0-9a-f]{32}',
  'clickup-api-token': 'pk_\\d{6,10}_[A-Z0-9]{32}',
  'prefect-api-token': 'pn[ub]_[A-Za-z0-9]{36}',
  'duffel-api-token': 'duffel_(?:test|live)_[\\w=-]{43}',
  'shippo-api-token': 'shippo_(?:live|test)_[0-9a-f]{40}',
  'frameio-api-token': 'fio-u-[\\w=-]{64}',
  'adafruit-io-key': 'aio_[A-Za-z0-9]{28}',
  'scalingo-api-token': 'tk-us-[\\w-]{48}',
  'infracost-api-token': 'ico-[A-Za-z0-9]{32}',
  'octopus-api-key': 'API-[A-Z0-9]{26}',
  'openshift-user-token': 'sha256~[\\w-]{43}',
  'easypost-api-token': 'EZ[AT]K[A-Za-z0-9]{54}',
  'intra42-client-secret': 's-s4t2(?:ud|af)-[0-9a-f]{64}',
  'lob-api-key': '(?:live|test)_(?:pub_)?[0-9a-f]{30,40}',
  'mailersend-api-token': 'mlsn\\.[0-9a-f]{64}',
  'cloudinary-url': 'cloudinary://\\d{10,20}:[\\w-]{20,60}@',
  // Models
  'anthropic-api-key': 'sk-ant-[a-z]{2,6}\\d\\d-[\\w-]{20,300}',
  'openai-api-key':
    'sk-(?:proj|svcacct|service|admin|None|or-v1|lf)-[\\w-]{20,300}|sk-[A-Za-z0-9]{20,300}|sess-[A-Za-z0-9]{40,100}',
  'groq-api-key': 'gsk_[A-Za-z0-9]{40,100}',
  'huggingface-access-token': '(?:hf|api_org)_[A-Za-z0-9]{30,100}',
  'replicate-api-token': 'r8_[A-Za-z0-9]{37,60}',
  'perplexity-api-key': 'pplx-[A-Za-z0-9]{40,100}',
  'xai-api-key': 'xai-[A-Za-z0-9]{60,200}',
  'factory-api-key': 'fk-[\\w-]{20,200}',
  'fireworks-api-key': 'fw_[A-Za-z0-9]{22,40}',
  'nvidia-api-key': 'nvapi-[\\w-]{60,80}',
  'cerebras-api-key': 'csk-[a-z0-9]{40,60}',
  'pinecone-api-key': 'pcsk_[A-Za-z0-9_]{50,90}',
  'langsmith-api-key': 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}',
  'tavily-api-key': 'tvly-(?:dev-)?[A-Za-z0-9]{20,60}',
  'e2b-api-key': 'e2b_[0-9a-f]{40}',
  'elevenlabs-api-key': 'sk_[0-9a-f]{48}',
  'wandb-api-key': 'wandb_v1_[\\w-]{40,120}',
  'cursor-api-key': '(?:key|crsr)_[0-9a-f]{64}',
  // Clouds and infrastructure
  'aws-access-token': '(?:A3T[A-Z0-9]|AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16}',
  'aws-bedrock-api-key': 'ABSK[A-Za-z0-9+/]{60,300}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{30,2000}={0,2}',
  'gcp-api-key': 'AIza[\\w-]{35}|AQ\\.Ab[\\w-]{40,120}',
  'gcp-oauth-secret': 'GOCSPX-[\\w-]{28}|ya29\\.[\\w.-]{20,2000}|1//0[\\w-]{40,200}',
  'azure-ad-client-secret': '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}',
  'azure-key':
    '[A-Za-z0-9+/]{76}\\+A(?:St|MC|RC|Ed)[A-Za-z0-9+/]{5}[AQgw]={0,2}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9]{42,44}Az(?:Se|Fu)[A-Za-z0-9]{6}',
  'azure-devops-pat': '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}',
  'alibaba-access-key-id': 'LTAI[A-Za-z0-9]{12,24}',
  'tencent-secret-id': 'AKID[A-Za-z0-9]{13,40}',
  'yandex-api-key': 'AQVN[\\w-]{35,38}|t1\\.[A-Z0-9a-z_-]{1,400}={0,2}\\.[\\w-]{86}={0,2}|YC[A-Za-z0-9_-]{38}',
  'digitalocean-pat': 'do[opr]_v1_[0-9a-f]{64}',
  'heroku-api-key': 'HRKU-[\\w-]{36,80}',
  'cloudflare-origin-ca-key': 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}',
  'linode-token': 'linode_[0-9a-f]{64}',
  'scaleway-access-key': 'SCW[A-Z0-9]{17}',
  'vercel-token': 'vc[aciprk]_[A-Za-z0-9]{20,60}|vercel_blob_rw_[A-Za-z0-9_]{30,80}',
  'netlify-access-token': 'nf[pcoub]_[A-Za-z0-9]{36,60}',
  'flyio-access-token': 'fm[12][ar]?_[A-Za-z0-9+/=_-]{60,2000}|fo1_[\\w-]{40,60}',
  'render-api-key': 'rnd_[A-Za-z0-9]{28,40}',
  'supabase-key': 'sbp_(?:v0_)?[0-9a-f]{40}|sb_secret_[\\w-]{20,60}',
  'neon-api-key': 'napi_[a-z0-9]{60,70}|npg_[A-Za-z0-9]{12,40}',
  'planetscale-api-token': 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,64}',
  'databricks-api-token': 'dapi[0-9a-f]{32}(?:-\\d)?|dose[0-9a-f]{32}',
  'pulumi-api-token': 'pul-[0-9a-f]{40}',
  'hashicorp-tf-api-token': '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,70}',
  'vault-service-token': 'hv[bsr]\\.[\\w-]{24,300}',
  'doppler-api-token': 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,80}',
  '1password-service-account-token':
    'ops_ey[A-Za-z0-9+/=_-]{100,2000}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  'infisical-token': 'st\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.[0-9a-f]{32}\\.[0-9a-f]{32}',
  'tailscale-key': 'tskey-[a-z]{2,12}-[A-Za-z0-9]{5,40}-[A-Za-z0-9]{20,60}',
  'ngrok-api-token': '(?:ak_)?[12][A-Za-z0-9]{26}_[A-Za-z0-9]{20,24}',
  'teleport-token': 'tctl_[A-Za-z0-9]{32,64}',
  'age-secret-key': 'AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,200}',
  // Chat, mail, payment and monitoring
  'slack-token':
    'xox[abceoprs]-[A-Za-z0-9-]{10,300}|xoxe\\.xox[bp]-[A-Za-z0-9-]{10,300}|xapp-\\d-[A-Za-z0-9-]{10,300}|xoxd-[A-Za-z0-9%+/=-]{20,500}',
  'discord-bot-token': '[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}|mfa\\.[\\w-]{80,90}',
  'telegram-bot-api-token': '\\d{8,10}:AA[\\w-]{33}',
  'matrix-access-token': 'syt_[A-Za-z0-9_=]{1,200}_[A-Za-z]{20}_[A-Za-z0-9]{6}',
  'ntfy-token': 'tk_[a-z0-9]{29}',
  'stripe-access-token': '[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,247}',
  'webhook-signing-secret': 'whsec_[A-Za-z0-9+/=_-]{24,100}',
  'square-access-token': 'sq0[a-z]{3}-[\\w-]{22,43}|EAAA[\\w-]{60}',
  'paypal-braintree-token': 'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}',
  'shopify-access-token': 'shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}',
  'plaid-api-token': 'access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  'flutterwave-secret-key': 'FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,40}-X',
  'razorpay-key': 'rzp_(?:live|test)_[A-Za-z0-9]{14}',
  'adyen-api-key': 'AQE[a-z]hmf[A-Za-z0-9+/=_-]{60,300}',
  'sendgrid-api-token': 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}',
  'mailgun-token': 'key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}',
  'mailchimp-api-key': '[0-9a-f]{32}-us\\d{1,2}',
  'sendinblue-api-token': 'x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}',
  'mandrill-api-key': 'md-[A-Za-z0-9_-]{22}',
  'resend-api-key': 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}',
  'twilio-api-key': 'SK[0-9a-f]{32}',
  'hubspot-api-key': 'pat-(?:na|eu|ap)\\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  'intercom-api-key': 'dG9rO[A-Za-z0-9+/]{50,60}={0,2}',
  'mapbox-api-token': 'sk\\.eyJ[\\w-]{20,300}\\.[\\w-]{20,60}',
  'facebook-access-token': 'EAA[A-Z][A-Za-z0-9]{80,400}|\\d{15,16}\\|[\\w-]{27,40}',
  'instagram-access-token': 'IG[QA][A-Za-z0-9_-]{80,300}',
  'dropbox-api-token': 'sl\\.(?:u\\.)?[\\w-]{100,2000}',
  'grafana-api-key': 'gl(?:c_[A-Za-z0-9+/]{32,400}={0,2}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})|eyJrIjoi[\\w=-]{40,400}',
  'sentry-token': 'sntrys_eyJ[A-Za-z0-9+/=_-]{40,1000}|sntryu_[0-9a-f]{64}',
  'new-relic-api-key': 'NR(?:AK|II|AA|JS|RA|IQ|BR)-[A-Za-z0-9_-]{19,42}|[0-9a-f]{32,36}NRAL',
  'dynatrace-api-token': 'dt0[a-zA-Z]\\d\\d\\.[A-Z0-9]{8,24}\\.[A-Z0-9]{64}',
  'honeycomb-api-key': 'hc[abcmx](?:ik|lk|mk)_[A-Za-z0-9]{50,70}',
  'posthog-api-key': 'ph[xsr]_[A-Za-z0-9]{40,60}',
  'pagerduty-api-key': 'pd(?:us|eu)\\+[\\w-]{20}',
  'rootly-api-token': 'rootly_[0-9a-f]{64}',
  'settlemint-token': 'sm_(?:pat|aat|sat)_[A-Za-z0-9]{16}',
  // Standards
  jwt: 'eyJ[\\w-]{8,1200}\\.eyJ[\\w-]{4,}(?:\\.[\\w-]*)?|eyJ[\\w-]{12,600}\\.[\\w-]{0,600}\\.[\\w-]{10,60}\\.[\\w-]{20,3000}\\.[\\w-]{20,30}',
  'password-hash':
    '\\$(?:2[abxy]|argon2(?:id|i|d)|apr1|pbkdf2(?:-sha\\d{1,3})?|scrypt|bcrypt|[1567]|y|gy)\\$[A-Za-z0-9./$=,+-]{20,200}|\\{(?:SSHA|SHA|SMD5|CRYPT)\\d{0,3}\\}[A-Za-z0-9+/$.]{20,120}={0,2}',
  'extended-private-key': '[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}',
  'nostr-private-key': 'nsec1[02-9ac-hj-np-z]{58}',
};

/** All kinds known by their form, each alone. */
export const TOKEN_FORMATS: readonly Pattern[] = Object.entries(FORMS).map(([kind, source]) => ({
  kind,
  find: whole(source),
}));

/** All of them as one expression with a group a kind: one search costs a third of one for each. It is made when the first long word comes. */
let all: RegExp | null = null;
const KINDS = Object.keys(FORMS);

/** Tokens anywhere in a text. */
export function tokens(text: string): Span[] {
  all ??= whole(
    Object.values(FORMS)
      .map((source) => `(${source})`)
      .join('|'),
    '(?=[^\\s"\'`]{14})',
  );
  return matchesOf(text, all).map((m) => ({
    start: m.index,
    end: m.index + m[0].length,
    kind: KINDS[m.findIndex((group, i) => i > 0 && group !== undefined) - 1] ?? 'secret',
  }));
}

/** Not within a longer word. */
function whole(source: string, first = ''): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${first}(?:${source})(?![A-Za-z0-9])`, 'g');
}
