// The settings of Pushover, as far as requests go.

export interface PushoverSettings {
  readonly token: string;
  readonly user: string;
  readonly emergency: boolean;
  readonly api_url: string;
  readonly allow_private: boolean;
}
