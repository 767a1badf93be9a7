/**
 * The ISM device contract of {@code spec/60-ism.md} §2 and its implementation in user space, Emulated-ISM: a DMB is a sealed
 * memfd that its owner passes by descriptor and both ends map. Knows memory and descriptors, no connections.
 */
package org.smc4j.ism;
