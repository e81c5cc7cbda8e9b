// The same machine and person wherever days happen: their names stand in what people are told.
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';

process.env['TZ'] = 'UTC';
const { userInfo } = os;
os.hostname = () => 'vm';
os.userInfo = ((...options: Parameters<typeof userInfo>) => ({
  ...userInfo(...options),
  username: 'root',
})) as typeof userInfo;
syncBuiltinESMExports();
