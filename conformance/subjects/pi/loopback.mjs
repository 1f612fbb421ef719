// Loaded before pi: no connection leaves this machine, and an attempt is told.
import net from 'node:net'

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
	const options = Array.isArray(args[0]) ? args[0][0] : args[0]
	const host = options?.host ?? 'localhost'
	if (options?.path || /^(localhost|127\..*|::1)$/.test(host)) return connect.apply(this, args)
	process.stderr.write(`conformance: a connection to ${host} was refused\n`)
	throw Object.assign(new Error(`no connection to ${host}`), { code: 'ECONNREFUSED' })
}
