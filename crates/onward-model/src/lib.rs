//! Model adapters: sans-IO stream decoders, the HTTP transport, and the scripted model.
