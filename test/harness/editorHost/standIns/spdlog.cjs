// Takes the place of @vscode/spdlog in the installed editor, whose native part would have to be compiled: without it
// nothing reaches a log file, and output channels, which show log files, stay empty. No rotation: the files are short-lived.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const methods = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = 2;
    this.formatted = true;
    for (const [level, method] of methods.entries())
      this[method] = (message) => this.write(level, message);
  }
  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(
        this.file,
        this.formatted ? `${time} [${levels[level]}] ${message}\n` : message,
      );
    } catch {
      // The folder goes before the last log line when the editor is shut down.
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.formatted = false;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

async function createLogger(type, name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger(type, name, file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = (name, file) => createLogger('rotating', name, file);
exports.createAsyncRotatingLogger = (name, file) => createLogger('rotating_async', name, file);
